// @vitest-environment node
import { dereference, type Schema, validate } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../src/core/schema/index.js'
import { parameters } from './settings.js'

const names = fc.constantFrom('a', 'b', 'aa', 'toString', '~/%')
const small = fc.nat(3)
const types = fc.constantFrom('string', 'number', 'integer', 'object', 'array', 'boolean', 'null')
const namePatterns = fc.constantFrom('^a', 'b$', '^(a|aa)+$', '^[ab]*$', '.')
const mapOf = <T>(keys: fc.Arbitrary<string>, values: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.array(fc.tuple(keys, values), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))

const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(0, 1, 2, -1, 0.3, 1.5, 1e21, '', 'a', 'b', 'aa', 'ab👍', true, false, null),
    fc.array(tie('value'), { maxLength: 4 }),
    mapOf(names, tie('value')),
  ),
}))

const { schema } = fc.letrec((tie) => {
  const one = tie('schema')
  const list = fc.array(one, { minLength: 1, maxLength: 3 })
  const keywords = {
    ...{ type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })), const: values },
    ...{ enum: fc.array(values, { minLength: 1, maxLength: 4 }), $ref: fc.constantFrom('#/$defs/x', '#/$defs/y') },
    ...{ not: one, anyOf: list, allOf: list, oneOf: list, if: one, else: one, ['then' as string]: one },
    ...{ required: fc.uniqueArray(names, { maxLength: 2 }), minProperties: small, maxProperties: small },
    ...{ propertyNames: one, dependentRequired: mapOf(names, fc.uniqueArray(names, { maxLength: 2 })) },
    ...{ dependentSchemas: mapOf(names, one), properties: mapOf(names, one) },
    ...{ patternProperties: mapOf(namePatterns, one), additionalProperties: one, unevaluatedProperties: one },
    ...{ minItems: small, maxItems: small, prefixItems: list, items: one, uniqueItems: fc.boolean() },
    ...{ contains: one, minContains: small, maxContains: small, unevaluatedItems: one },
    ...{ minimum: small, maximum: small, exclusiveMinimum: small, exclusiveMaximum: small },
    ...{ multipleOf: fc.constantFrom(1, 2, 0.1, 0.5, 3), minLength: small, maxLength: small, pattern: namePatterns },
  }
  const some = fc.uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
  return {
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.boolean(),
      some.chain((chosen) =>
        fc.record(Object.fromEntries(Object.entries(keywords).filter(([keyword]) => chosen.includes(keyword)))),
      ),
    ),
  }
})

const base = new URL('schema:/')

describe('a check', () => {
  it('finds fault with the values that the library finds fault with', () => {
    let fine = 0
    fc.assert(
      fc.property(
        schema,
        schema,
        schema,
        fc.array(values, { minLength: 3, maxLength: 3 }),
        (root, x, y, candidates) => {
          const whole = { allOf: [root], $defs: { x, y } }
          const copy: Schema = JSON.parse(JSON.stringify(whole))
          let check: ReturnType<typeof compileSchema>
          try {
            check = compileSchema(whole)
          } catch (error) {
            // References in a circle; nothing else here is broken.
            expect(String(error)).toMatch('$ref')
            return
          }
          const lookup = dereference(copy, Object.create(null), base)
          for (const candidate of candidates) {
            const plain: unknown = JSON.parse(JSON.stringify(candidate))
            const isFine = check(candidate).length === 0
            expect(isFine).toBe(validate(plain, copy, '2020-12', lookup, false).valid)
            if (isFine) fine++
          }
        },
      ),
      parameters(0.2),
    )
    expect(fine).toBeGreaterThan(0)
  }, 300_000)
})

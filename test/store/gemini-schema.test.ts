// @vitest-environment node
import { type } from 'arktype'
import type { AnyTool, JsonSchema } from 'assent/core'
import { createToolRunner } from 'assent/runner'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freezeAll, schemaCases } from '../components/form/schema-cases.js'

/** The parameters of a tool as Gemini is told them. */
function told(inputSchema: AnyTool['inputSchema'], jsonSchema?: JsonSchema): Record<string, unknown> {
  const runner = createToolRunner({ tools: [{ name: 't', inputSchema, jsonSchema, execute: () => '' }] })
  return Object(runner.tools('gemini')[0]).functionDeclarations[0].parameters
}

const property = (schema: unknown): unknown => Object(told({ type: 'object', properties: { p: schema } }).properties).p

// The fields of the API's Schema (Gemini API and Vertex AI).
const FIELDS = new Set(
  `type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength
  maxLength pattern example anyOf propertyOrdering default items minimum maximum`.split(/\s+/),
)

/** What is no field of the API, with its place. Names of properties may be anything. */
function foreign(schema: unknown, at = ''): string[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [`${at} is no schema`]
  return Object.entries(schema).flatMap(([key, value]) => {
    if (!FIELDS.has(key)) return [`${at}/${key}`]
    if (key === 'type') return typeof value === 'string' ? [] : [`${at}/type`]
    if (key === 'enum')
      return value.length > 0 && value.every((one: unknown) => one && typeof one === 'string') ? [] : [`${at}/enum`]
    if (key === 'nullable') return value === true ? [] : [`${at}/nullable`]
    if (key === 'properties') return Object.entries(value).flatMap(([name, part]) => foreign(part, `${at}/${name}`))
    if (key === 'required')
      return value.flatMap((name: string) =>
        Object.hasOwn(Object(schema).properties ?? {}, name) ? [] : [`${at}/required ${name}`],
      )
    if (key === 'anyOf')
      return [
        ...(Object.keys(schema).length > 1 ? [`${at}/anyOf is not alone`] : []),
        ...value.flatMap((part: unknown, n: number) => foreign(part, `${at}/${n}`)),
      ]
    return key === 'items' ? foreign(value, `${at}/items`) : []
  })
}

const everything = z.strictObject({
  text: z.string().min(1).max(5).describe('A text'),
  email: z.email(),
  when: z.iso.datetime(),
  count: z.number().positive().lt(7).multipleOf(2),
  whole: z.int(),
  yes: z.boolean().default(true),
  one: z.enum(['a', 'b']),
  word: z.literal('x'),
  two: z.literal(2),
  either: z.union([z.string(), z.number()]),
  maybe: z.string().nullish(),
  maybeEither: z.union([z.string(), z.number(), z.null()]),
  map: z.record(z.string(), z.number()),
  pair: z.tuple([z.string(), z.number()]),
  list: z.array(z.strictObject({ k: z.string() })),
  any: z.any(),
  both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
  shape: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('c'), r: z.number() }),
    z.object({ kind: z.literal('s') }),
  ]),
})

describe('FAULT-36: what Gemini is told of a tool’s arguments', () => {
  it.each<[string, AnyTool['inputSchema'], JsonSchema?]>([
    ['zod', everything],
    [
      'arktype',
      type({ a: 'string', 'b?': 'number | null', c: '"x" | "y"', d: 'string[]', e: '1 | 2', f: { g: 'string.email' } }),
    ],
    [
      'valibot, with a schema by hand',
      v.object({ a: v.string() }),
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { a: { type: ['string', 'null'], const: 'x' } },
        required: ['a', 'gone'],
        additionalProperties: false,
        definitions: {},
      },
    ],
    [
      'a zod object that holds itself',
      z.object({
        name: z.string(),
        get parts(): z.ZodType {
          return z.array(z.lazy(() => everything))
        },
      }),
    ],
  ])('of %s has only fields of that API', (_what, schema, jsonSchema) => {
    const parameters = told(schema, jsonSchema)
    expect(parameters.type).toBe('object')
    expect(foreign(parameters)).toEqual([])
    expect(JSON.parse(JSON.stringify(parameters))).toStrictEqual(parameters)
  })

  it('of every schema of the cases has only such', () => {
    for (const { name, schema } of schemaCases) {
      try {
        expect([
          name,
          foreign(told(true, { type: 'object', properties: { p: freezeAll(schema) } } as JsonSchema)),
        ]).toEqual([name, []])
      } catch (error) {
        // A tool cannot have a broken schema.
        expect([name, String(error)]).toEqual([name, expect.stringContaining('cannot be used')])
      }
    }
  })

  it('keeps what it can say', () => {
    const { properties, required } = told(everything) as Record<string, Record<string, unknown>>
    expect(properties).toMatchObject({
      text: { type: 'string', minLength: 1, maxLength: 5, description: 'A text' },
      when: { type: 'string', format: 'date-time' },
      count: { type: 'number' },
      whole: { type: 'integer' },
      one: { type: 'string', enum: ['a', 'b'] },
      word: { type: 'string', enum: ['x'] },
      two: { type: 'number' },
      either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      maybe: { type: 'string', nullable: true },
      maybeEither: {
        anyOf: [
          { type: 'string', nullable: true },
          { type: 'number', nullable: true },
        ],
      },
      map: { type: 'object' },
      pair: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      list: { type: 'array', items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] } },
      both: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a', 'b'] },
    })
    expect(required).toEqual(expect.arrayContaining(['text', 'either', 'shape']))
    expect(required).not.toContain('maybe')
  })

  it.each<[string, unknown, unknown]>([
    ['a constant', { const: 'x' }, { type: 'string', enum: ['x'] }],
    ['a number that is fixed', { const: 3 }, { type: 'number' }],
    ['no', { const: false }, { type: 'boolean' }],
    ['options with null', { enum: ['a', null, ''] }, { type: 'string', nullable: true, enum: ['a'] }],
    ['a type or null', { type: ['integer', 'null'], minimum: 1 }, { type: 'integer', nullable: true, minimum: 1 }],
    [
      'two types',
      { type: ['string', 'integer'], description: 'd' },
      {
        anyOf: [
          { type: 'string', description: 'd' },
          { type: 'integer', description: 'd' },
        ],
      },
    ],
    [
      'one of',
      { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
      { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    ],
    [
      'one or null',
      { anyOf: [{ type: 'string' }, { type: 'null' }], title: 'T' },
      { type: 'string', nullable: true, title: 'T' },
    ],
    ['bounds that exclude', { type: 'number', exclusiveMinimum: 0, maximum: 3 }, { type: 'number', maximum: 3 }],
    ['a format it does not know', { type: 'string', format: 'uuid' }, { type: 'string' }],
    ['anything', true, { type: 'string' }],
    ['a list of anything', { type: 'array' }, { type: 'array', items: { type: 'string' } }],
    ['all of', { allOf: [{ type: 'string' }, { minLength: 2 }] }, { type: 'string', minLength: 2 }],
    [
      'either set of names',
      { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {
        anyOf: ['a', 'b'].map((name) => ({
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          required: [name],
        })),
      },
    ],
  ])('writes %s its way', (_what, schema, expected) => {
    expect(property(schema)).toStrictEqual(expected)
  })

  it('keeps names of properties that read like keywords', () => {
    const names = [
      '$schema',
      'additionalProperties',
      '$ref',
      'const',
      'oneOf',
      'allOf',
      'type',
      'properties',
      'required',
      'enum',
      '__proto__',
      'constructor',
      'nullable',
      '$defs',
      'items',
    ]
    const properties = Object.fromEntries(
      names.map((name) => [name, { type: 'object', properties: { [name]: { type: 'boolean', $comment: 'x' } } }]),
    )
    const parameters = told({ type: 'object', properties, required: names })
    expect(foreign(parameters)).toEqual([])
    expect(Object.keys(Object(parameters.properties))).toEqual(names)
    expect(parameters.required).toEqual(names)
    for (const name of names)
      expect(
        Object.entries(Object.entries(Object(parameters.properties)).find(([key]) => key === name)?.[1] ?? {}),
      ).toContainEqual(['type', 'object'])
  })

  it('writes out what it refers to, and what stands beside a reference', () => {
    const $defs = {
      'a/b~c': {
        type: 'object',
        properties: { n: { $ref: '#/$defs/N' } },
        required: ['n'],
        additionalProperties: false,
      },
      N: { type: 'integer', description: 'theirs' },
    }
    const properties = {
      x: { $ref: '#/$defs/a~1b~0c' },
      y: { $ref: '#/$defs/N', description: 'ours' },
      z: { allOf: [{ $ref: '#/$defs/a~1b~0c' }, { properties: { m: {} } }] },
    }
    const n = { type: 'integer', description: 'theirs' }
    expect(told({ type: 'object', properties, $defs })).toStrictEqual({
      type: 'object',
      properties: {
        x: { type: 'object', properties: { n }, required: ['n'] },
        y: { type: 'integer', description: 'ours' },
        z: { type: 'object', properties: { m: { type: 'string' }, n }, required: ['n'] },
      },
    })
  })

  it('opens where a schema comes back to itself', () => {
    const Tree = z.object({
      name: z.string(),
      get parts() {
        return z.array(Tree)
      },
    })
    const tree = {
      type: 'object',
      properties: { name: { type: 'string' }, parts: { type: 'array', items: { type: 'object' } } },
      required: ['name', 'parts'],
    }
    expect(told(Tree)).toStrictEqual(tree)
    expect(told(z.object({ a: Tree, b: Tree }))).toStrictEqual({
      type: 'object',
      properties: { a: tree, b: tree },
      required: ['a', 'b'],
    })
  })

  it('comes to an end where each reference doubles', () => {
    const $defs: Record<string, object> = { d60: { type: 'string' } }
    for (let n = 0; n < 60; n++) {
      const $ref = `#/$defs/d${n + 1}`
      $defs[`d${n}`] = { type: 'object', properties: { a: { $ref }, b: { $ref } } }
    }
    const parameters = told(true, { type: 'object', properties: { p: { $ref: '#/$defs/d0' } }, $defs })
    expect(foreign(parameters)).toEqual([])
    expect(JSON.stringify(parameters).length).toBeLessThan(200_000)
  })

  it('leaves the tool’s own schema and the other formats alone', () => {
    const schema = freezeAll({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      allOf: [{ $ref: '#/$defs/A' }],
      $ref: '#/$defs/A',
      $defs: { A: { properties: { a: { const: 'x' } } } },
    })
    const runner = createToolRunner({ tools: [{ name: 't', inputSchema: schema, execute: () => '' }] })
    const before = JSON.stringify(schema)
    runner.tools('gemini')
    expect(JSON.stringify(schema)).toBe(before)
    expect(runner.tools('anthropic')[0]?.input_schema).toEqual(schema)
    expect(Object(runner.tools('openai')[0]?.function).parameters).toEqual(schema)
  })
})

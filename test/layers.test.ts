// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../src')

// DESIGN section 1: what each floor may import. `.` is src/index.ts, the list of the public surface.
const MAY: Record<string, RegExp> = {
  core: /^(core|@cfworker\/json-schema)$/,
  store: /^(store|core|idb|zustand\/vanilla)$/,
  react: /^(react-floor|core|store|react|zustand(\/.*)?)$/,
  components: /^(components|react-floor|core|store types|react(-dom|\/jsx-runtime)?)$/,
  // A foreign SDK is what an adapter is for, so any package, but no floor above the store.
  adapters: /^(?!(components|react-floor|store|testing|\.)$)./,
  testing: /^(testing|react-floor|components|core|store|react)$/,
  '.': /^(components|react-floor|core|store)$/,
}

const IMPORT =
  /(?:^|\n|;)\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g

interface Import {
  /** The file, from src. */
  file: string
  floor: string
  /** A floor, `<floor> types` for a type-only import, or a package. */
  target: string
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) => file.split(sep).join('/'))
const sources = files.filter((file) => /\.tsx?$/.test(file))

const floorOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : '.')

/** Whether everything between the braces is marked `type`. */
const onlyTypes = (statement: string): boolean => {
  const names = /\{([^}]*)\}/
    .exec(statement)?.[1]
    ?.split(',')
    .map((name) => name.trim())
  return names?.every((name) => name === '' || name.startsWith('type ')) ?? false
}

function importsOf(file: string, text: string): Import[] {
  const floor = floorOf(file)
  return [...text.matchAll(IMPORT)].map(([statement, type, named, dynamic]) => {
    const specifier = named ?? dynamic ?? ''
    if (!specifier.startsWith('.')) return { file, floor, target: specifier }
    const reached = floorOf(
      relative(src, resolve(src, dirname(file), specifier))
        .split(sep)
        .join('/'),
    )
    const types = (type !== undefined || onlyTypes(statement)) && reached !== floor
    const name = reached === 'react' ? 'react-floor' : reached
    return { file, floor, target: types && name === 'store' ? 'store types' : name }
  })
}

const mayImport = ({ floor, target }: Import): boolean => {
  const own = floor === 'react' ? 'react-floor' : floor
  if (target === own) return true
  if (MAY[floor]?.test(target)) return true
  return target === 'store types' && /^(react|components|adapters|testing|\.)$/.test(floor)
}

const offenders = (imports: readonly Import[]): string[] =>
  imports.filter((one) => !mayImport(one)).map(({ file, target }) => `src/${file} imports ${target}`)

const all = sources.flatMap((file) => importsOf(file, readFileSync(join(src, file), 'utf8')))

describe('the floors of src', () => {
  it('import only downwards (DESIGN 1)', () => {
    expect(offenders(all)).toEqual([])
  })

  it('are the five floors, the testing entry and the list of the public surface', () => {
    expect([...new Set(sources.map(floorOf))].filter((floor) => !(floor in MAY))).toEqual([])
  })

  it('have no utils, helpers or common', () => {
    expect(files.filter((file) => /(^|[/-])(utils?|helpers?|common|shared|misc)([/.-]|$)/.test(file))).toEqual([])
  })

  it('name their files in kebab-case', () => {
    expect(
      files.filter(
        (file) =>
          !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.(ts|tsx|css|json|md)|\.d\.ts)?$/.test(file) && !/EDGE_CASES\.md$/.test(file),
      ),
    ).toEqual([])
  })

  it('never lead from the main entry to an adapter', () => {
    const reached = new Set<string>()
    const visit = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const [, , named, dynamic] of readFileSync(join(src, file), 'utf8').matchAll(IMPORT)) {
        const specifier = named ?? dynamic ?? ''
        if (!specifier.startsWith('.')) continue
        const path = relative(src, resolve(src, dirname(file), specifier))
          .split(sep)
          .join('/')
        const found = [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find((name) =>
          sources.includes(name),
        )
        if (found) visit(found)
      }
    }
    visit('index.ts')
    expect(reached.size).toBeGreaterThan(20)
    expect([...reached].filter((file) => file.startsWith('adapters/'))).toEqual([])
  })

  it('import what is in this tree with the ending .js', () => {
    const specifiers = sources.flatMap((file) =>
      [...readFileSync(join(src, file), 'utf8').matchAll(IMPORT)].map(([, , named, dynamic]) => [
        file,
        named ?? dynamic ?? '',
      ]),
    )
    const relativeOnes = specifiers.filter(([, specifier]) => specifier?.startsWith('.'))
    expect(relativeOnes.filter(([, specifier]) => !/\.(js|css)$/.test(specifier ?? ''))).toEqual([])
    expect(relativeOnes.length).toBeGreaterThan(20)
  })
})

describe('the check itself', () => {
  it.each<[string, string, string]>([
    ['core/call.ts', "import { useState } from 'react'", 'react'],
    ['core/call.ts', "import { createStore } from 'zustand/vanilla'", 'zustand/vanilla'],
    ['core/call.ts', "import type { Runner } from '../store/types.js'", 'store types'],
    ['core/call.ts', "const store = await import('../store/index.js')", 'store'],
    ['core/schema/index.ts', "export * from '../../store/index.js'", 'store'],
    ['store/runs.ts', "import { useTool } from '../react/index.js'", 'react-floor'],
    ['store/runs.ts', "import { create } from 'zustand'", 'zustand'],
    ['react/use-run.ts', "import {\n  PendingDialogs,\n} from '../components/index.js'", 'components'],
    ['react/use-run.ts', "import { pending } from '../index.js'", '.'],
    ['components/dialogs.tsx', "import { createToolRunner } from '../store/index.js'", 'store'],
    ['components/dialogs.tsx', "import { createToolRunner, type Runner } from '../store/index.js'", 'store'],
    ['components/dialogs.tsx', "import 'some-css-package'", 'some-css-package'],
    ['index.ts', "export * from './adapters/mcp.js'", 'adapters'],
  ])('names %s when it says %j', (file, text, target) => {
    expect(offenders(importsOf(file, text))).toEqual([`src/${file} imports ${target}`])
  })

  it.each([
    ['core/call.ts', "import { newId } from './ids.js'"],
    ['core/schema/index.ts', "import { validate } from '@cfworker/json-schema'"],
    ['store/runs.ts', "import { newId } from '../core/internal.js'"],
    ['react/use-run.ts', "import { useStore } from 'zustand'"],
    ['components/dialogs.tsx', "import type { PendingItem } from '../store/index.js'"],
    ['components/dialogs.tsx', "import { type PendingItem, type Runner } from '../store/index.js'"],
    ['components/dialogs.tsx', "import { usePending } from '../react/index.js'"],
  ])('lets %s say %j', (file, text) => {
    expect(offenders(importsOf(file, text))).toEqual([])
  })
})

// Prints what each entry costs a user: minified, gzip -9, peers external. The schema validator (@cfworker/json-schema
// and src/core/schema, which makes it safe) is in a row of its own, and so is each part that is loaded on demand.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const peers = /^(react|react-dom|yjs)(\/|$)/
const validator = /^@cfworker\/json-schema$|\/schema\/index\.js$/
// Loaded on demand, by an import() that an app's bundler makes a file of its own.
const late = /\/late-bodies\.js$/
const extras = /\/late-extras\.js$/
const persist = /\/persist\/index\.js$/
const attention = /\/watch-attention\.js$/

/** The code of an entry in one piece, without what is `external`. */
async function bundle(entry, ...external) {
  const isStyle = entry.endsWith('.css')
  const result = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      cssMinify: true,
      ...(!isStyle && { lib: { entry, formats: ['es'], fileName: 'out' } }),
      rolldownOptions: {
        ...(isStyle && { input: entry }),
        external: (id) => [peers, ...external].some((pattern) => pattern.test(id)),
        output: { minify: true },
      },
    },
  })
  const [{ output }] = [result].flat()
  return output.map((part) => String(isStyle ? (part.source ?? '') : part.code)).join('')
}

// A library build keeps the marks that an app's bundler reads and removes.
const MARKS = /\/\* @__PURE__ \*\/ ?/g
const gzip = (code) => gzipSync(code.replace(MARKS, ''), { level: 9 }).length

/** `[{ name, gzip, budget }]` in bytes. */
export async function measure() {
  const kit = gzip(await bundle('src/index.ts', validator, late, extras, persist, attention))
  const bodies = gzip(await bundle('scripts/size-entry-bodies.ts', validator, extras, persist, attention))
  const kept = gzip(await bundle('scripts/size-entry-persist.ts', validator, late, extras, attention))
  const seen = gzip(await bundle('scripts/size-entry-attention.ts', validator, late, extras, persist))
  const lists = gzip(await bundle('scripts/size-entry-extras.ts', validator, late, persist, attention))
  return [
    { name: 'assent/core', gzip: gzip(await bundle('src/core/index.ts', validator)), budget: 3.75 * 1024 },
    { name: 'assent', gzip: kit, budget: 21 * 1024 },
    { name: 'assent, forms on demand', gzip: bodies - kit, budget: 13.5 * 1024 },
    { name: 'assent, lists on demand', gzip: lists - kit, budget: 5 * 1024 },
    { name: 'assent, persistence on demand', gzip: kept - kit, budget: 9 * 1024 },
    { name: 'assent, attention on demand', gzip: seen - kit, budget: 3 * 1024 },
    { name: 'assent/yjs', gzip: gzip(await bundle('src/adapters/yjs.ts', validator)), budget: 8 * 1024 },
    { name: 'assent/styles.css', gzip: gzip(await bundle('src/components/styles.css')), budget: 5 * 1024 },
    { name: 'schema validator', gzip: gzip(await bundle('src/core/schema/index.ts')), budget: 10 * 1024 },
  ]
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const rows = await measure()
  for (const { name, gzip, budget } of rows) {
    console.log(`${gzip > budget ? 'OVER' : 'ok  '} ${name}: ${gzip} B gzip (budget ${budget})`)
  }
  process.exit(rows.some(({ gzip, budget }) => gzip > budget) ? 1 : 0)
}

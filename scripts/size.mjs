// Prints what each entry costs a user: minified, gzip -9, peers external. The kit is built as an app builds it: what is
// loaded on demand is in rows of its own, and what both need counts to the kit. The schema validator
// (@cfworker/json-schema and src/core/schema, which makes it safe) is in a row of its own, too.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const peers = /^(react|react-dom|yjs)(\/|$)/
const validator = /^@cfworker\/json-schema$|\/schema\/index\.js$/

/** What an entry is built to, without what is `external`. */
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
  return output
}

// A library build keeps the marks that an app's bundler reads and removes.
const MARKS = /\/\* @__PURE__ \*\/ ?/g
const gzip = (parts) => {
  const code = parts.map((part) => String(part.code ?? part.source)).join('')
  return gzipSync(code.replace(MARKS, ''), { level: 9 }).length
}

/** A chunk and what it cannot do without. */
function withImports(chunk, output, seen = new Set()) {
  if (!chunk || seen.has(chunk)) return seen
  seen.add(chunk)
  for (const name of chunk.imports)
    withImports(
      output.find(({ fileName }) => fileName === name),
      output,
      seen,
    )
  return seen
}

/** `[{ name, gzip, budget }]` in bytes. */
export async function measure() {
  const output = await bundle('src/index.ts', validator)
  const kit = withImports(
    output.find(({ isEntry }) => isEntry),
    output,
  )
  const late = (file) => {
    const chunk = output.find(({ facadeModuleId, isDynamicEntry }) => isDynamicEntry && facadeModuleId.endsWith(file))
    // Gzip finds more alike in one piece; what a part adds is counted in that piece.
    return gzip([...kit, ...[...withImports(chunk, output)].filter((part) => !kit.has(part))]) - gzip([...kit])
  }
  const alone = async (entry, ...external) => gzip(await bundle(entry, ...external))
  return [
    { name: 'assent/core', gzip: await alone('src/core/index.ts', validator), budget: 6.25 * 1024 },
    { name: 'assent', gzip: gzip([...kit]), budget: 28.25 * 1024 },
    { name: 'assent, forms on demand', gzip: late('/late-bodies.ts'), budget: 19 * 1024 },
    { name: 'assent, lists on demand', gzip: late('/late-extras.ts'), budget: 5 * 1024 },
    { name: 'assent, persistence on demand', gzip: late('/persist/index.ts'), budget: 9.25 * 1024 },
    { name: 'assent, attention on demand', gzip: late('/watch-attention.ts'), budget: 3 * 1024 },
    { name: 'assent/yjs', gzip: await alone('src/adapters/yjs.ts', validator), budget: 13.75 * 1024 },
    { name: 'assent/styles.css', gzip: await alone('src/components/styles.css'), budget: 5 * 1024 },
    { name: 'schema validator', gzip: await alone('src/core/schema/index.ts'), budget: 10 * 1024 },
  ]
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const rows = await measure()
  for (const { name, gzip, budget } of rows) {
    console.log(`${gzip > budget ? 'OVER' : 'ok  '} ${name}: ${gzip} B gzip (budget ${budget})`)
  }
  process.exit(rows.some(({ gzip, budget }) => gzip > budget) ? 1 : 0)
}

// Lines of code of the runner: those that have more than blanks and comments.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

const CORE = ['call', 'attempt', 'run-tool'].map((name) => `core/${name}.ts`)

/** The text without its comments; their line breaks stay. */
function withoutComments(path) {
  const code = readFileSync(path, 'utf8')
  const { comments, errors } = parseSync(path, code)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  let text = code
  for (const { start, end } of comments) {
    const blank = code.slice(start, end).replace(/[^\n]/g, ' ')
    text = text.slice(0, start) + blank + text.slice(end)
  }
  return text
}

const linesOf = (path) =>
  withoutComments(path)
    .split('\n')
    .filter((line) => line.trim() !== '').length
const sum = (paths) => paths.reduce((all, path) => all + linesOf(path), 0)

export function lines(root) {
  const src = join(root, 'src')
  const store = readdirSync(join(src, 'store'), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(src, 'store', name))
  const persistence = store.filter((path) => path.startsWith(join(src, 'store', 'persist')))
  const core = CORE.map((name) => join(src, name)).filter((path) => existsSync(path))
  const counted = { store: sum(store) - sum(persistence), persistence: sum(persistence), core: sum(core) }
  return { ...counted, all: counted.store + counted.persistence + counted.core, files: store.length + core.length }
}

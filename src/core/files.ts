import { pointerPart } from './json.js'
import { isRecord, typeName } from './plain-data.js'

/** Files that belong to the arguments of a call, by a name of the caller's (DESIGN 8.1). */
export type Files = Readonly<Record<string, Blob>>

/** The files of a call as they are now. Throws an Error that names the place of what is no file. */
export function readFiles(given: unknown): Files | undefined {
  if (given === undefined) return undefined
  if (!isRecord(given)) throw new Error(`files: expected an object of files, got ${typeName(given)}`)
  const files = Object.entries(given)
  for (const [key, file] of files) {
    if (!/^(file|blob)$/.test(typeName(file))) {
      throw new Error(`files: ${pointerPart(key)}: expected a File or Blob, got ${typeName(file)}`)
    }
  }
  // The types were looked at one by one.
  return files.length > 0 ? Object.freeze(Object.fromEntries(files) as Record<string, Blob>) : undefined
}

import { isRecord, typeName } from './plain-data.js'

/** Files that belong to the arguments of a call, by a name of the caller's (DESIGN 8.1). */
export type Files = Readonly<Record<string, Blob>>

const isFiles = (given: unknown): given is Record<string, Blob> =>
  isRecord(given) && Object.values(given).every((file) => /^(file|blob)$/.test(typeName(file)))

/** The files of a call as they are now; undefined when there are none. Throws an Error for what is no object of files. */
export function readFiles(given: unknown = {}): Files | undefined {
  if (!isFiles(given)) throw new Error('files: expected an object of Files and Blobs')
  return Object.keys(given).length > 0 ? Object.freeze({ ...given }) : undefined
}

/** A file of the workspace. */
export interface WorkspaceFile {
  name: string
  /** In bytes. */
  size: number
}

/** The demo's own folder in the Origin Private File System: real files, kept by the browser, seen by this site only. */
async function folder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle('assent-demo', { create: true })
}

export async function listFiles(): Promise<WorkspaceFile[]> {
  const files: WorkspaceFile[] = []
  for await (const handle of (await folder()).values()) {
    if (handle.kind === 'file') files.push({ name: handle.name, size: (await handle.getFile()).size })
  }
  return files.sort((a, b) => a.name.localeCompare(b.name))
}

/** The file's text, or undefined when there is no such file. */
export async function readFile(name: string): Promise<string | undefined> {
  const file = (await listFiles()).find((candidate) => candidate.name === name)
  if (!file) return undefined
  const handle = await (await folder()).getFileHandle(name)
  return (await handle.getFile()).text()
}

export async function writeFile(name: string, text: string): Promise<void> {
  const handle = await (await folder()).getFileHandle(name, { create: true })
  const stream = await handle.createWritable()
  await stream.write(text)
  await stream.close()
}

export async function deleteFile(name: string): Promise<void> {
  await (await folder()).removeEntry(name)
}

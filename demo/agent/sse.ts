/** The `data` of each server-sent event in a byte stream, however it is cut into chunks. */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const data: string[] = []
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true })
      // A CR at the end may be half of a CRLF: it waits for the next chunk.
      const held = !done && rest.endsWith('\r') ? '\r' : ''
      const lines = rest.slice(0, rest.length - held.length).split(/\r\n|\n|\r/)
      rest = (lines.pop() ?? '') + held
      for (const line of lines) {
        if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
        else if (line === '' && data.length > 0) yield data.splice(0).join('\n')
      }
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

// @vitest-environment node
import { expect, test } from 'vitest'
import { readSse } from '../../demo/agent/sse.js'

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

function streamOf(
  chunks: Array<Uint8Array<ArrayBuffer>>,
  onCancel = () => {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const queue = [...chunks]
  return new ReadableStream({
    pull(controller) {
      const chunk = queue.shift()
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
    cancel: onCancel,
  })
}

async function read(...chunks: string[]): Promise<string[]> {
  const events: string[] = []
  for await (const data of readSse(streamOf(chunks.map(encode)))) events.push(data)
  return events
}

test('reads one event after another', async () => {
  expect(await read('data: a\n\ndata: b\n\n')).toEqual(['a', 'b'])
})

test.each(['\n', '\r\n', '\r'])('takes %j as the end of a line', async (eol) => {
  expect(await read(['data: a', '', 'data: b', 'data: c', '', ''].join(eol))).toEqual(['a', 'b\nc'])
})

test('gives the same events wherever the bytes are cut', async () => {
  const bytes = encode('data: {"text":"naïve 🌍"}\r\n\r\n: note\r\ndata: [DONE]\r\n\r\n')
  for (let cut = 0; cut <= bytes.length; cut++) {
    const events: string[] = []
    for await (const data of readSse(streamOf([bytes.slice(0, cut), bytes.slice(cut)]))) events.push(data)
    expect(events).toEqual(['{"text":"naïve 🌍"}', '[DONE]'])
  }
  const single: string[] = []
  for await (const data of readSse(streamOf([...bytes].map((byte) => Uint8Array.of(byte))))) single.push(data)
  expect(single).toEqual(['{"text":"naïve 🌍"}', '[DONE]'])
})

test('ignores comments, other fields and events without data', async () => {
  expect(await read(': ping\n\nevent: x\nid: 1\nretry: 5\n\ndata:tight\n\n')).toEqual(['tight'])
})

test('strips one space after the colon and no more', async () => {
  expect(await read('data:  two\n\n')).toEqual([' two'])
})

test('gives the last event of a stream that ends without an empty line', async () => {
  expect(await read('data: a\n\ndata: b')).toEqual(['a', 'b'])
})

test('gives nothing for an empty stream', async () => {
  expect(await read()).toEqual([])
})

test('cancels the stream when its reader leaves early', async () => {
  let cancelled = false
  const stream = streamOf([encode('data: a\n\n'), encode('data: b\n\n')], () => {
    cancelled = true
  })
  for await (const data of readSse(stream)) if (data === 'a') break
  expect(cancelled).toBe(true)
})

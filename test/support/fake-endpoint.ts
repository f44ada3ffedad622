import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeEndpoint {
  /** What a person types into the form. */
  baseUrl: string
  requests: Array<{ authorization: string | undefined; body: Record<string, unknown> }>
  close(): Promise<void>
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'POST',
}

/** An OpenAI-compatible endpoint on this machine; `answer` writes each turn's server-sent events. */
export async function fakeEndpoint(answer: (response: ServerResponse, turn: number) => void): Promise<FakeEndpoint> {
  const requests: FakeEndpoint['requests'] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(204, cors).end()
    let text = ''
    for await (const chunk of request) text += chunk
    requests.push({ authorization: request.headers.authorization, body: JSON.parse(text) })
    response.writeHead(200, { ...cors, 'content-type': 'text/event-stream' })
    return answer(response, requests.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** One server-sent event with a delta of the reply. */
export const sse = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\r\n\r\n`

export const DONE = 'data: [DONE]\r\n\r\n'

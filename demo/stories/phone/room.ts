import type { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { joinChannel } from './channel.js'

/** A document that several pages share, and who is there. */
export interface Room {
  doc: Y.Doc
  awareness: Awareness
  leave(): void
}

/** Over a real y-websocket server when the address names one (`?server=ws://…`), else from tab to tab. */
export async function openRoom(server: string | null): Promise<Room> {
  const doc = new Y.Doc()
  if (server === null) return joinChannel('assent-demo-phone', doc)
  const { WebsocketProvider } = await import('y-websocket')
  const provider = new WebsocketProvider(server, 'assent-demo-phone', doc)
  return {
    doc,
    awareness: provider.awareness,
    leave() {
      provider.destroy()
      doc.destroy()
    },
  }
}

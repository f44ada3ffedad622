import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import type { Room } from './room.js'

type Message =
  | { type: 'hello'; state: Uint8Array }
  | { type: 'update'; update: Uint8Array }
  | { type: 'awareness'; update: Uint8Array }

interface Changes {
  added: number[]
  updated: number[]
  removed: number[]
}

/** The smallest provider there is: the tabs of one browser tell each other what they write. */
export function joinChannel(name: string, doc: Y.Doc): Room {
  const channel = new BroadcastChannel(name)
  const awareness = new Awareness(doc)
  const post = (message: Message): void => channel.postMessage(message)
  const postStates = (clients: number[]): void =>
    post({ type: 'awareness', update: encodeAwarenessUpdate(awareness, clients) })

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'update') Y.applyUpdate(doc, data.update, channel)
    else if (data.type === 'awareness') applyAwarenessUpdate(awareness, data.update, channel)
    else {
      post({ type: 'update', update: Y.encodeStateAsUpdate(doc, data.state) })
      if (awareness.getLocalState()) postStates([awareness.clientID])
    }
  }
  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin !== channel) post({ type: 'update', update })
  })
  awareness.on('update', ({ added, updated, removed }: Changes, origin: unknown) => {
    if (origin !== channel) postStates([...added, ...updated, ...removed])
  })
  const hello = (): void => post({ type: 'hello', state: Y.encodeStateVector(doc) })
  hello()

  const goAway = (): void => awareness.setLocalState(null)
  const comeBack = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return
    awareness.setLocalState({})
    hello()
  }
  addEventListener('pagehide', goAway)
  addEventListener('pageshow', comeBack)
  return {
    doc,
    awareness,
    leave() {
      removeEventListener('pagehide', goAway)
      removeEventListener('pageshow', comeBack)
      doc.destroy()
      channel.close()
    },
  }
}

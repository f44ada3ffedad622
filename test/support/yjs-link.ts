import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate, removeAwarenessStates } from 'y-protocols/awareness'
import * as Y from 'yjs'

export interface Peer {
  doc: Y.Doc
  awareness: Awareness
}

/** Peers without a network: what one writes is at the others at once, until it is cut off. */
export interface Network {
  peer(): Peer
  cut(peer: Peer): void
  join(peer: Peer): void
  destroy(): void
}

interface Changes {
  added: number[]
  updated: number[]
  removed: number[]
}

export function network(): Network {
  const online = new Map<Y.Doc, Peer>()
  const all = new Set<Peer>()
  const others = ({ doc }: Peer): Peer[] =>
    online.has(doc) ? [...online.values()].filter((one) => one.doc !== doc) : []

  const tell = (from: Peer, to: Peer): void => {
    Y.applyUpdate(to.doc, Y.encodeStateAsUpdate(from.doc, Y.encodeStateVector(to.doc)), 'network')
    if (from.awareness.getLocalState() === null) return
    applyAwarenessUpdate(to.awareness, encodeAwarenessUpdate(from.awareness, [from.awareness.clientID]), 'network')
  }

  const join = (peer: Peer): void => {
    online.set(peer.doc, peer)
    for (const other of others(peer)) {
      tell(peer, other)
      tell(other, peer)
      // As a provider does: a clock that went on tells the others that the state is new.
      for (const { awareness } of [peer, other]) awareness.setLocalState(awareness.getLocalState())
    }
  }

  return {
    peer() {
      const doc = new Y.Doc()
      const peer = { doc, awareness: new Awareness(doc) }
      all.add(peer)
      doc.on('update', (update: Uint8Array, origin: unknown) => {
        if (origin !== 'network') for (const other of others(peer)) Y.applyUpdate(other.doc, update, 'network')
      })
      peer.awareness.on('update', ({ added, updated, removed }: Changes, origin: unknown) => {
        if (origin === 'network') return
        const update = encodeAwarenessUpdate(peer.awareness, [...added, ...updated, ...removed])
        for (const other of others(peer)) applyAwarenessUpdate(other.awareness, update, 'network')
      })
      join(peer)
      return peer
    },
    cut(peer) {
      const left = others(peer)
      online.delete(peer.doc)
      // As y-websocket does: who is cut off sees nobody, and nobody sees them.
      for (const other of left) {
        removeAwarenessStates(other.awareness, [peer.awareness.clientID], 'network')
        removeAwarenessStates(peer.awareness, [other.awareness.clientID], 'network')
      }
    },
    join,
    destroy() {
      for (const { doc } of all) doc.destroy()
    },
  }
}

import 'assent/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { Desk } from './desk.js'
import { Phone } from './phone.js'

const params = new URLSearchParams(location.search)
const doc = new Y.Doc()
const provider = new WebsocketProvider(params.get('server') ?? '', params.get('room') ?? '', doc, {
  disableBc: true,
  maxBackoffTime: 200,
})
const link = { doc, awareness: provider.awareness, user: { name: params.get('user') ?? '' } }

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <main>
        <h1>{params.get('user')}</h1>
        {params.has('desk') ? <Desk link={link} verify={params.get('verify')} /> : <Phone link={link} />}
      </main>
    </StrictMode>,
  )
}

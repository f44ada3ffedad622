import '../../demo.css'
import 'assent/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Layout } from '../../ui/layout.js'
import { applyTheme, storedTheme } from '../../ui/theme.js'
import { DeskPage } from './desk-page.js'
import { PhonePage } from './phone-page.js'

applyTheme(storedTheme())

// `?server=ws://127.0.0.1:1234` joins over a real server (scripts/yjs-server.mjs), `?as=desk` is its other side.
const params = new URLSearchParams(location.search)
const server = params.get('server')

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Layout home="./" current="phone.html">
        {params.get('as') === 'desk' ? <DeskPage server={server} /> : <PhonePage server={server} />}
      </Layout>
    </StrictMode>,
  )
}

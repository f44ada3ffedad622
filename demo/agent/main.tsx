import '../demo.css'
import 'assent/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Layout } from '../ui/layout.js'
import { applyTheme, storedTheme } from '../ui/theme.js'
import { AgentPage } from './agent-page.js'

applyTheme(storedTheme())

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Layout home="./" current="agent.html">
        <AgentPage />
      </Layout>
    </StrictMode>,
  )
}

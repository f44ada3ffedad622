import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const src = (path: string): string => resolve(import.meta.dirname, '../../../src', path)

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  logLevel: 'error',
  resolve: {
    alias: [
      { find: /^assent$/, replacement: src('index.ts') },
      { find: /^assent\/core$/, replacement: src('core/index.ts') },
      { find: /^assent\/runner$/, replacement: src('store/index.ts') },
      { find: /^assent\/styles\.css$/, replacement: src('components/styles.css') },
    ],
  },
  plugins: [react()],
  build: { emptyOutDir: true, modulePreload: { polyfill: false } },
})

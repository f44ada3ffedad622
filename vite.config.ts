import { copyFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import pkg from './package.json' with { type: 'json' }
import { chromiumArgs, findChromium } from './scripts/browser.mjs'
import { policyFor } from './scripts/csp.mjs'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// The demo and the tests name the package as a user would; here those names mean the sources.
const publicNames = [
  { find: /^assent$/, replacement: here('src/index.ts') },
  { find: /^assent\/core$/, replacement: here('src/core/index.ts') },
  { find: /^assent\/runner$/, replacement: here('src/store/index.ts') },
  { find: /^assent\/yjs$/, replacement: here('src/adapters/yjs.ts') },
  { find: /^assent\/styles\.css$/, replacement: here('src/components/styles.css') },
]

const copyStyles: Plugin = {
  name: 'copy-styles',
  apply: 'build',
  writeBundle() {
    copyFileSync('src/components/styles.css', 'dist/styles.css')
    writeFileSync('dist/styles.css.d.ts', 'export {}\n')
  },
}

// Only the agent page may connect anywhere (DESIGN 7.6), so the policy is set page by page.
const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  configurePreviewServer(server) {
    server.middlewares.use((request, response, next) => {
      response.setHeader('Content-Security-Policy', policyFor(request.url ?? '/'))
      next()
    })
  },
}

const external = [...Object.keys(pkg.dependencies), ...Object.keys(pkg.peerDependencies)]

const library = defineConfig({
  plugins: [react(), copyStyles],
  build: {
    target: 'es2022',
    minify: false,
    sourcemap: true,
    emptyOutDir: false,
    lib: {
      entry: {
        index: 'src/index.ts',
        'core/index': 'src/core/index.ts',
        'store/index': 'src/store/index.ts',
        'adapters/yjs': 'src/adapters/yjs.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
      output: { preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
    },
  },
})

const demo = defineConfig({
  root: 'demo',
  base: './',
  resolve: { alias: publicNames },
  plugins: [react(), contentSecurityPolicy],
  build: {
    outDir: '../dist-demo',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [here('demo/index.html'), here('demo/agent.html'), here('demo/phone.html')] },
  },
  preview: { host: '127.0.0.1', port: 4173 },
})

const tests = defineConfig({
  resolve: { alias: publicNames },
  plugins: [react()],
  optimizeDeps: {
    include: [
      'react',
      'react-dom',
      'react-dom/client',
      'react-dom/server',
      'react/jsx-dev-runtime',
      'axe-core',
      'vitest-browser-react',
      'idb',
      'zustand',
      'zustand/vanilla',
      '@cfworker/json-schema',
    ],
  },
  test: {
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'jsdom',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/browser/**', 'test/e2e/**'],
          setupFiles: ['test/setup.ts'],
          // The first render of a file takes some seconds on a busy machine.
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          // One page at a time has the focus, and most of these tests are about it.
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          include: ['test/browser/**/*.test.{ts,tsx}'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1024, height: 768 },
            provider: playwright({
              launchOptions: { executablePath: findChromium() ?? 'chromium', args: chromiumArgs },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/demo-server.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Each file has a browser of its own.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

export default defineConfig(({ mode }) => (process.env.VITEST ? tests : mode === 'demo' ? demo : library))

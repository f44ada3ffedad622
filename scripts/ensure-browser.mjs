// The tests need a real Chromium. Only root on Debian is helped along; everybody else gets the one line to run.
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findChromium } from './browser.mjs'

const install = 'apt-get update && apt-get install -y --no-install-recommends chromium'

if (!findChromium()) {
  const canInstall = existsSync('/etc/debian_version') && process.getuid?.() === 0
  if (!canInstall) {
    console.error(`The tests need Chromium. Install it (on Debian: sudo sh -c '${install}') or set CHROMIUM_PATH.`)
    process.exit(1)
  }
  console.log('Chromium is missing: installing it from the Debian packages.')
  execSync(install, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

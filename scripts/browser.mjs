import { existsSync } from 'node:fs'

/** Flags for a headless Chromium in a container without network: no sandbox as root, no background traffic. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const known = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The browser the tests drive: CHROMIUM_PATH first, then the usual places. */
export function findChromium() {
  return [process.env.CHROMIUM_PATH, ...known].find((path) => path && existsSync(path))
}

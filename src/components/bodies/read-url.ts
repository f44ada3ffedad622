import { hasUnsafe } from '../safe-text.js'

export type UrlWarning = 'userinfo' | 'punycode' | 'insecure' | 'ip-host' | 'bidi' | 'scheme' | 'invalid'

/** An address as the browser reads it, and what a person should know before opening it (K23). */
export interface ReadUrl {
  /** Full http and https addresses only. */
  readonly openable: boolean
  /** Name and port, in ASCII; empty, like the rest, when it cannot be opened. */
  readonly host: string
  /** What the link opens: never with a password. */
  readonly href: string
  /** The end of the name that its owner has registered, as far as it can be told; all of it where there is no such part. */
  readonly registrable: string
  /** As shown: what stands before the host, the host before `registrable`, what follows it. */
  readonly around: readonly [before: string, subdomain: string, after: string]
  readonly warnings: readonly UrlWarning[]
  /** Whether a password stood in it, which is neither shown nor sent. */
  readonly hadPassword: boolean
}

// The runner has put this in place of a password (core/secrets/url-passwords.ts).
const HIDDEN = '•••'

const unusable = (text: string, ...warnings: UrlWarning[]): ReadUrl => ({
  openable: false,
  host: '',
  href: '',
  registrable: '',
  around: ['', '', ''],
  warnings,
  hadPassword: text.includes(`:${HIDDEN}@`),
})

/** Reads an address without a base, the way the browser will when it is opened. Never throws. */
export function readUrl(text: string): ReadUrl {
  const url = parse(text)
  if (!url) return unusable(text, 'invalid')
  if (!/^https?:$/.test(url.protocol)) return unusable(text, 'scheme')
  const warnings = [...warningsOf(url, text)]
  const hadPassword = url.password !== ''
  url.password = ''
  const { host, href, hostname, protocol, username } = url
  // Up to the path, a user name included: that one may spell the host too.
  const end = href.indexOf('/', `${protocol}//`.length)
  const start = end - host.length
  const registrable = registrableOf(hostname)
  const nameEnd = start + hostname.length
  return {
    openable: true,
    host,
    href,
    registrable,
    around: [
      hadPassword ? `${protocol}//${username}:${HIDDEN}@` : href.slice(0, start),
      href.slice(start, nameEnd - registrable.length),
      href.slice(nameEnd),
    ],
    warnings,
    hadPassword,
  }
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

const isIp = (hostname: string): boolean => /^\[|^[\d.]+$/.test(hostname)
const isLocal = (hostname: string): boolean =>
  isIp(hostname) ? /^(127\.|\[::1\])/.test(hostname) : /(^|\.)localhost\.?$/.test(hostname)

function* warningsOf({ username, password, hostname, protocol }: URL, text: string): Generator<UrlWarning> {
  if (username || password) yield 'userinfo'
  if (/(^|\.)xn--/.test(hostname)) yield 'punycode'
  if (protocol === 'http:' && !isLocal(hostname)) yield 'insecure'
  if (isIp(hostname)) yield 'ip-host'
  // Tabs and line breaks are taken out of an address wherever they stand.
  if (hasUnsafe(text) || /[\t\r\n]/.test(text.trim())) yield 'bidi'
}

const SECOND_LEVEL = /^(ac|co|com|edu|go|gob|gov|gv|ltd|mil|ne|net|nom|or|org|plc|sch)$/

/** Without a list of public suffixes: the last two labels, three where the second is one that countries keep for kinds of owners. */
function registrableOf(hostname: string): string {
  if (isIp(hostname)) return hostname
  const [root = '', second = '', ...others] = hostname.replace(/\.$/, '').split('.').reverse()
  const isKept = root.length === 2 && SECOND_LEVEL.test(second)
  const labels = [root, second, ...(isKept ? others.slice(0, 1) : [])].filter((label) => label !== '')
  const name = labels.reverse().join('.')
  return hostname.endsWith('.') ? `${name}.` : name
}

// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { readUrl, type UrlWarning } from '../../src/components/bodies/read-url.js'
import bugs from '../cases/bug-reports.json' with { type: 'json' }
import { urlCases } from './form/schema-cases.js'

const found = Object.values(bugs).find(({ id }) => id === 'BUG-146')
const { ok, bad } = (found as { input: unknown }).input as { ok: string[]; bad: string[] }

describe('the url cases', () => {
  it('are all there', () => {
    expect(urlCases).toHaveLength(21)
  })

  it.each(urlCases)('$url', ({ url, openable, host = '', warnings = [] }) => {
    const read = readUrl(url)
    expect({ openable: read.openable, host: read.host, warnings: read.warnings }).toEqual({ openable, host, warnings })
  })
})

describe('readUrl', () => {
  it.each(ok)('opens %s (BUG-146)', (url) => {
    expect(readUrl(url).openable).toBe(true)
  })

  it.each(bad)('does not open %j (BUG-146)', (url) => {
    expect(readUrl(url)).toMatchObject({ openable: false, host: '', href: '', registrable: '' })
    expect(readUrl(url).warnings).toHaveLength(1)
  })

  it.each([
    ['https://example.com/', 'example.com'],
    ['https://a.b.c.example.com/', 'example.com'],
    ['https://accounts.example.com.evil.example/login', 'evil.example'],
    ['https://bank.co.uk/', 'bank.co.uk'],
    ['https://login.bank.co.uk/', 'bank.co.uk'],
    ['https://login.bank.com.au:8443/', 'bank.com.au'],
    ['https://www.city.gov.pl/', 'city.gov.pl'],
    ['https://co.uk/', 'co.uk'],
    ['https://com.evil.example/', 'evil.example'],
    ['https://bank.com.evil/', 'com.evil'],
    ['https://bank.com.evil.io/', 'evil.io'],
    ['https://login.evil.example./', 'evil.example.'],
    ['https://localhost/', 'localhost'],
    ['https://intranet/', 'intranet'],
    ['https://192.168.0.1/', '192.168.0.1'],
    ['https://[2001:db8::1]:8443/', '[2001:db8::1]'],
    ['https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com'],
  ])('%s belongs to %s', (url, registrable) => {
    expect(readUrl(url).registrable).toBe(registrable)
  })

  it.each([
    'https://example.com/',
    'https://example.com/?',
    'https://example.com/#',
    'https://example.com?x=1#y',
    'https://www.example.com:8443/example.com?example.com#example.com',
    'https://example.com@example.com/@example.com',
    'https://a/',
    'https://[::1]:3000/x',
    'https://example.com\\@evil.example/',
  ])('takes %s apart without a loss', (url) => {
    const { around, href, host, registrable } = readUrl(url)
    const [before, subdomain, after] = around
    expect(before + subdomain + registrable + after).toBe(href)
    expect(href).toBe(new URL(url).href)
    expect(subdomain + registrable + after).toMatch(new RegExp(`^${host.replace(/[[\].]/g, '\\$&')}/`))
    expect(before).toMatch(/^https:\/\/([^/]*@)?$/)
  })

  it.each([
    ['https://user:hunter2@host.example/', 'https://user:•••@', 'https://user@host.example/'],
    ['https://:hunter2@host.example/', 'https://:•••@', 'https://host.example/'],
    ['HTTPS://USER:hunter2@HOST.EXAMPLE', 'https://USER:•••@', 'https://USER@host.example/'],
    ['https://us er:hun ter2@host.example/a@b', 'https://us%20er:•••@', 'https://us%20er@host.example/a@b'],
    ['https://user:hun\nter2@host.example/', 'https://user:•••@', 'https://user@host.example/'],
    ['https://user:p@hunter2@host.example/', 'https://user:•••@', 'https://user@host.example/'],
    ['https:\\\\user:%68unter2@host.example/', 'https://user:•••@', 'https://user@host.example/'],
    ['https://user:•••@host.example/', 'https://user:•••@', 'https://user@host.example/'],
    ['https://example.com:pw@host.example:8443', 'https://example.com:•••@', 'https://example.com@host.example:8443/'],
  ])('shows and opens %j without its password (FAULT-30)', (text, before, href) => {
    const read = readUrl(text)
    expect([read.around[0], read.href, read.hadPassword]).toEqual([before, href, true])
    expect(read.warnings).toContain('userinfo')
    expect(JSON.stringify(read)).not.toMatch(/hun|ter2/)
  })

  it('says of an address that cannot be opened that a password was left out', () => {
    expect(readUrl('postgres://user:•••@host/').hadPassword).toBe(true)
    expect(readUrl('https://user@host.example/').hadPassword).toBe(false)
  })

  it.each<[string, UrlWarning[]]>([
    ['http://user:pw@аррӏе.com/', ['userinfo', 'punycode', 'insecure']],
    ['https://:pw@example.com/', ['userinfo']],
    ['https://www.xn--80ak6aa92e.com/', ['punycode']],
    ['http://app.localhost:3000/', []],
    ['http://localhost.evil.example/', ['insecure']],
    ['http://127.evil.example/', ['insecure']],
    ['http://notlocalhost/', ['insecure']],
    ['http://[::1]:3000/', ['ip-host']],
    ['http://10.0.0.1/', ['insecure', 'ip-host']],
    ['http://0x7f.1/', ['ip-host']],
    ['https://exa\tmple.com/', ['bidi']],
    ['https://exa\u00ADmple.com/', ['bidi']],
    ['https://example.com/a\u200Bb', ['bidi']],
    [' https://example.com/\n', []],
    ['https://example.com/\u00e9', []],
    ['https://example.com/%E2%80%AE', []],
  ])('of %s warns about %j', (url, warnings) => {
    expect(readUrl(url).warnings).toEqual(warnings)
  })

  it('reads a very long name at once', () => {
    const start = performance.now()
    readUrl(`https://${'a'.repeat(100_000)}.example/${'b.'.repeat(100_000)}`)
    readUrl(`https://${'a.'.repeat(50_000)}example/`)
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

import '../../src/components/styles.css'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { readUrl, type UrlWarning } from '../../src/components/bodies/read-url.js'
import { createToolRunner, History, PendingList } from '../../src/index.js'
import { urlCases } from '../components/form/schema-cases.js'
import {
  ask,
  button,
  dialog,
  elementOf,
  emulate,
  eventually,
  Page,
  press,
  settle,
  typingIsOver,
} from '../support/page.js'

const SENTENCES: Record<UrlWarning, string> = {
  userinfo: 'The part before @ is a user name, not the site.',
  punycode: 'This site’s name has letters that can look like others. It is shown in code, starting with xn--.',
  insecure: 'This site is not encrypted: others can read and change what you see and enter there.',
  'ip-host': 'This site has a number instead of a name, so you cannot tell whose it is.',
  bidi: 'The address came with hidden characters. It is shown as the browser will open it.',
  scheme: 'This address cannot be opened: only http and https links are allowed.',
  invalid: 'This is not a full web address, so it cannot be opened.',
}

async function asked(url: string, presentation: 'dialog' | 'inline' = 'dialog') {
  const runner = createToolRunner()
  await render(
    <Page runner={runner} armingDelay={0} presentation={presentation}>
      {presentation === 'inline' && <PendingList />}
    </Page>,
  )
  const question = ask(runner, { kind: 'authorization', prompt: 'Sign in to Files', url })
  const shown = presentation === 'inline' ? page.getByRole('article') : dialog()
  await eventually(shown).toBeVisible()
  await expect.poll(() => elementOf(shown).querySelector('[data-slot="link"], [data-slot="notice"]')).not.toBeNull()
  return { ...question, runner, element: elementOf(shown) }
}

const textOf = (element: Element, slot: string): string | undefined =>
  element.querySelector(`[data-slot="${slot}"]`)?.textContent

const warned = (element: Element): UrlWarning[] =>
  (Object.keys(SENTENCES) as UrlWarning[]).filter((warning) =>
    [...element.querySelectorAll('p')].some(({ textContent }) => textContent === SENTENCES[warning]),
  )

beforeEach(typingIsOver)
afterEach(async () => {
  document.documentElement.removeAttribute('style')
  await emulate('light')
  await page.viewport(1024, 768)
})

describe.each(['dialog', 'inline'] as const)('the url cases, as %s', (presentation) => {
  test.each(urlCases)('$url', async ({ url, openable, host = '', warnings = [] }) => {
    const { element } = await asked(url, presentation)
    expect(warned(element).sort()).toEqual([...warnings].sort())
    expect(button("I've finished").elements()).toHaveLength(openable ? 1 : 0)
    const links = [...element.querySelectorAll('a, [href]')]
    if (!openable) {
      expect(links).toEqual([])
      await eventually(page.getByRole('note')).toBeVisible()
      return
    }
    expect(links).toHaveLength(1)
    const link = page.getByRole('link', { name: `Open link ${host}`, exact: true })
    await eventually(link).toHaveAttribute('href', readUrl(url).href)
    await eventually(link).toHaveAttribute('rel', 'noopener noreferrer')
    await eventually(link).toHaveAttribute('target', '_blank')
    await eventually(link).toHaveAccessibleDescription(warnings.map((warning) => SENTENCES[warning]).join(' '))
    expect(textOf(element, 'host')).toBe(host)
    expect(textOf(element, 'url')).toBe(readUrl(url).href)
    expect(textOf(element, 'registrable')).toBe(readUrl(url).registrable)
  })
})

describe('the host', () => {
  const weightOf = (element: Element, slot: string): number =>
    Number(getComputedStyle(element.querySelector(`[data-slot="${slot}"]`) as Element).fontWeight)

  test('stands out, its registrable part most of all', async () => {
    const { element } = await asked('https://accounts.example.com.evil.example:8443/login?next=bank.example')
    expect(textOf(element, 'host')).toBe('accounts.example.com.evil.example:8443')
    expect(textOf(element, 'registrable')).toBe('evil.example')
    expect(element.querySelector('[data-slot="host"] strong[data-slot="registrable"]')).not.toBeNull()
    expect(weightOf(element, 'registrable')).toBeGreaterThan(weightOf(element, 'host'))
    const colours = ['url', 'host'].map(
      (slot) => getComputedStyle(element.querySelector(`[data-slot="${slot}"]`) as Element).color,
    )
    expect(new Set(colours).size).toBe(2)
  })

  test('is found behind a user name that is long, or is the same', async () => {
    const { element } = await asked(`https://bank.example${'x'.repeat(500)}:evil.example@evil.example/`)
    expect([textOf(element, 'host'), warned(element)]).toEqual(['evil.example', ['userinfo']])
    const host = element.querySelector('[data-slot="host"]') as Element
    expect(host.previousSibling?.textContent?.endsWith('@')).toBe(true)
  })

  test('is in ASCII, and nothing that looks like another name is left', async () => {
    const { element } = await asked('https://аррӏе.com/')
    expect(element.textContent).not.toContain('аррӏе')
  })
})

describe('FAULT-30: a password in the address', () => {
  const WORD = 'hunter2'

  test.each(['dialog', 'inline'] as const)(
    'is nowhere in the page, and the person is told, as %s',
    async (presentation) => {
      const { element } = await asked(`https://user:${WORD}@host.example/`, presentation)
      expect(document.documentElement.outerHTML).not.toContain(WORD)
      expect(textOf(element, 'url')).toBe('https://user:•••@host.example/')
      await eventually(page.getByRole('link')).toHaveAttribute('href', 'https://user@host.example/')
      expect(element.textContent).toContain('A password stood in this address. It was left out, and is not sent.')
      expect(warned(element)).toEqual(['userinfo'])
    },
  )

  test.each([
    'HTTPS://:hunter2@host.example',
    'https:\\\\user:hunter2@host.example/',
    'https://user:a hunter2@host.example/',
    'https://us\ter:hunter2@host.example/',
    'https://user:p@hunter2@host.example/',
    'postgres://user:hunter2@host.example/',
    'https://user:#hunter2@host.example/',
    'https://host.example/?next=https%3A%2F%2Fuser%3Ahunter2%40other.example',
  ])('is nowhere in the page with %j', async (url) => {
    await asked(url)
    expect(document.documentElement.outerHTML).not.toContain(WORD)
  })

  test('is nowhere in the texts around it, in the history and in its export', async () => {
    const url = `https://user:${WORD}@host.example/`
    const runner = createToolRunner()
    await render(
      <Page runner={runner} armingDelay={0}>
        <History />
      </Page>,
    )
    const data = { reason: url, details: `see ${url}`, more: [url] }
    ask(runner, { kind: 'authorization', prompt: `Go to ${url}`, url, data })
    await eventually(page.getByRole('link')).toBeVisible()
    expect(document.documentElement.outerHTML).not.toContain(WORD)
    await userEvent.click(button("I've finished"))
    await eventually(page.getByText('https://user:•••@host.example/', { exact: true })).toBeVisible()
    expect(document.documentElement.outerHTML).not.toContain(WORD)
    const blobs: Blob[] = []
    const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob)
      return '#'
    })
    await userEvent.click(page.getByRole('button', { name: /export/i }))
    const written = await blobs[0]?.text()
    expect(written).toContain('•••')
    expect(written).not.toContain(WORD)
    create.mockRestore()
  })
})

describe('opening the link', () => {
  test('takes a click, may be done again, and is no answer (BUG-148)', async () => {
    const opened: string[] = []
    const stop = (event: Event): void => {
      const link = event.target instanceof Element && event.target.closest('a')
      if (!link) return
      opened.push(link.href)
      event.preventDefault()
    }
    document.addEventListener('click', stop)
    const { answers, answer, id } = await asked('https://idp.example/login')
    await settle()
    expect(opened).toEqual([])
    await userEvent.click(page.getByRole('link'))
    elementOf(page.getByRole('link')).focus()
    await press('Enter')
    await settle()
    expect([opened, answers]).toEqual([['https://idp.example/login', 'https://idp.example/login'], []])
    await userEvent.click(button("I've finished"))
    expect(await answer).toEqual({ id, ok: true })
    document.removeEventListener('click', stop)
  })

  test('never takes the first focus', async () => {
    await asked('https://idp.example/login')
    await eventually(button('Decline')).toHaveFocus()
  })
})

const shown: [string, string][] = [
  ['plain', 'https://login.idp.example.co.uk/authorize?client_id=assent'],
  ['userinfo', 'https://google.com@evil.example/'],
  ['punycode', 'https://аррӏе.com/'],
  ['insecure', 'http://example.com/pay'],
  ['ip-host', 'https://2130706433/'],
  ['bidi', 'https://example.com/\u202egnp.exe'],
  ['all-at-once', 'http://bank.example:pw@login.аррӏе.com:8443/\u200bx'],
  ['scheme', 'data:text/html,<script>alert(1)</script>'],
  ['invalid', 'example.com/\u202egnp.exe'],
]

describe.each([
  ['light', 1024],
  ['dark', 1024],
  ['dark', 320],
] as const)('in %s, %d wide', (scheme, width) => {
  test.each(shown)('a link that is %s breaks no rule and stays within the page', async (name, url) => {
    await emulate(scheme)
    document.documentElement.style.colorScheme = 'light dark'
    await page.viewport(width, 768)
    const { element } = await asked(url)
    const { violations } = await axe.run(document)
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth)
    if (import.meta.env.VITE_SHOTS) await page.screenshot({ path: `../../shots/link-${name}-${scheme}-${width}.png` })
  })
})

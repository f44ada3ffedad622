import '../../src/components/styles.css'
import axe from 'axe-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { loadLateBodies } from '../../src/components/bodies/late-body.js'
import { hasUnsafe } from '../../src/components/safe-text.js'
import { type AnyTool, createToolRunner, PendingList, type PendingRequest, pending } from '../../src/index.js'
import { button, dialog, elementOf, emulate, eventually, Page, settle } from '../support/page.js'

// What is written out and what it says is in safe-text.test.tsx and hostile.test.tsx; here is what a person sees of it,
// and what a copy gives.

beforeAll(loadLateBodies)
afterEach(async () => {
  document.documentElement.removeAttribute('style')
  getSelection()?.removeAllRanges()
  await emulate('light')
  await page.viewport(1024, 768)
})

async function open(
  args: Record<string, unknown>,
  asked: Partial<PendingRequest> = {},
  presentation: 'dialog' | 'inline' = 'dialog',
): Promise<{ element: HTMLElement; given: unknown[]; result: PromiseLike<unknown> }> {
  const given: unknown[] = []
  const tool: AnyTool = {
    name: 'tool',
    execute: (got, ctx) => {
      given.push(got)
      return ctx.answer ? 'done' : pending({ kind: 'approval', prompt: 'Sure?', ...asked })
    },
  }
  const runner = createToolRunner({ tools: [tool] })
  await render(
    <Page runner={runner} armingDelay={0} presentation={presentation}>
      {presentation === 'inline' && <PendingList />}
    </Page>,
  )
  const result = runner.run('tool', args)
  const shown = presentation === 'inline' ? page.getByRole('article') : dialog()
  await eventually(shown).toBeVisible()
  return { element: elementOf(shown), given, result }
}

/** The element that shows a text, by what is seen of it. */
function showing(root: ParentNode, text: string): Element {
  const found = [...root.querySelectorAll('bdi')].find(({ textContent }) => textContent === text)
  if (!found) throw new Error(`nothing shows ${JSON.stringify(text)}`)
  return found
}

/** Pastes what the clipboard holds into a box of its own; within the dialog, because the rest of the page is inert. */
async function pasted(root: ParentNode): Promise<string> {
  const box = document.createElement('textarea')
  root.querySelector('dialog, article')?.append(box)
  box.focus()
  await userEvent.keyboard('{Control>}v{/Control}')
  box.remove()
  return box.value
}

/** Selects, copies with the keyboard, and reads the clipboard. */
async function copied(select: (selection: Selection) => void, root: ParentNode = document): Promise<string> {
  const selection = getSelection()
  if (!selection) throw new Error('no selection')
  select(selection)
  await userEvent.keyboard('{Control>}c{/Control}')
  return await pasted(root)
}

const MARKED: [string, string, string][] = [
  ['a hidden character', 'rm \u202Etxt.exe', 'rm \\u{202E}txt.exe'],
  ['several', 'a\u200B\u2060b\u{E0041}', 'a\\u{200B}\\u{2060}b\\u{E0041}'],
  ['a few alike', 'a\u00A0\u00A0\u00A0b', 'a\\u{A0}\\u{A0}\\u{A0}b'],
  ['many alike', `a${'\u3164'.repeat(40)}b`, 'a⟨40 × \\u{3164}⟩b'],
  ['a long gap', `ls${' '.repeat(60)}; rm -rf /`, 'ls⟨60 blank characters⟩; rm -rf /'],
  ['tabs and blanks', `a${'\t '.repeat(20)}b`, 'a⟨40 blank characters⟩b'],
  ['many line breaks', `a${'\n'.repeat(30)}b\nc`, 'a⟨30 blank characters⟩b\nc'],
  ['a pile of marks', `Z${'\u0301'.repeat(24)}b`, `Z${'\u0301'.repeat(4)}⟨20 × \\u{301}⟩b`],
  ['what looks like an escape', 'a\\u{202E}\u202E⟨9 × \\u{61}⟩', 'a\\u{202E}\\u{202E}⟨9 × \\u{61}⟩'],
]

describe.each(['dialog', 'inline'] as const)('a copy, as %s', (presentation) => {
  test.each(MARKED)('of %s gives what came (BUG-137)', async (_name, text, seen) => {
    const { element } = await open({ command: text }, {}, presentation)
    expect(await copied((selection) => selection.selectAllChildren(showing(element, seen)))).toBe(text)
  })
})

describe('a copy', () => {
  test('of a part gives that part', async () => {
    const { element } = await open({ command: 'one \u202Etwo\u202C three' })
    const value = showing(element, 'one \\u{202E}two\\u{202C} three')
    const [first, , middle] = value.childNodes
    const text = await copied((selection) => selection.setBaseAndExtent(first as Node, 1, middle as Node, 2))
    expect(text).toBe('ne \u202Etw')
  })

  test('of a part of a mark gives what the mark stands for', async () => {
    const { element } = await open({ command: 'a\u202Eb' })
    const mark = showing(element, 'a\\u{202E}b').querySelector('[data-slot="escape"]')?.firstChild as Node
    expect(await copied((selection) => selection.setBaseAndExtent(mark, 2, mark, 4))).toBe('\u202E')
  })

  test('of several values has each on a line of its own', async () => {
    const { element } = await open({ first: 'a\u202Eb', second: 'c\n\td' })
    const list = element.querySelector('[data-slot="entries"]') as Element
    expect(await copied((selection) => selection.selectAllChildren(list))).toBe('first\na\u202Eb\nsecond\nc\n\td')
  })

  test('of all there is, selected from the prompt on, has no escape in it', async () => {
    const { element } = await open({ a: 'x\u202Ey', b: ' '.repeat(40) }, { prompt: 'Delete \u2066a.txt?' })
    const text = await copied((selection) => {
      const first = element.querySelector('[data-slot="prompt"]') as Element
      const last = [...element.querySelectorAll('dd')].at(-1) as Element
      selection.setBaseAndExtent(first, 0, last, last.childNodes.length)
    })
    expect(text).toContain('Delete \u2066a.txt?\n')
    expect(text).toContain('x\u202Ey')
    expect(text).not.toMatch(/⟨|\\u\{2066/)
  })

  test('of a plain text is left to the browser', async () => {
    const { element } = await open({ a: 'plain', b: 'x\u202Ey' })
    const seen: boolean[] = []
    const note = (event: Event): void => void seen.push(event.defaultPrevented)
    document.addEventListener('copy', note)
    expect(await copied((selection) => selection.selectAllChildren(showing(element, 'plain')))).toBe('plain')
    document.removeEventListener('copy', note)
    expect(seen).toEqual([false])
  })

  test('by the page’s own code is the same', async () => {
    const { element } = await open({ a: 'x\u202Ey' })
    getSelection()?.selectAllChildren(showing(element, 'x\\u{202E}y'))
    elementOf(button('Close')).addEventListener('focus', () => document.execCommand('copy'), { once: true })
    elementOf(button('Close')).focus()
    expect(await pasted(document)).toBe('x\u202Ey')
  })

  test('from a field of a form is the field’s own', async () => {
    const { element } = await open({}, { kind: 'input', prompt: 'Name \u202E?' })
    await eventually(page.getByRole('textbox')).toBeVisible()
    await userEvent.fill(page.getByRole('textbox'), 'typed')
    const text = await copied((selection) => {
      selection.selectAllChildren(element.querySelector('[data-slot="prompt"]') as Element)
      elementOf(page.getByRole('textbox')).focus()
      const box = elementOf(page.getByRole('textbox')) as HTMLInputElement
      box.select()
    })
    expect(text).toBe('typed')
  })

  test('works in a shadow root', async () => {
    const host = document.body.appendChild(document.createElement('div'))
    const root = host.attachShadow({ mode: 'open' })
    const runner = createToolRunner()
    const container = root.appendChild(document.createElement('div'))
    await render(<Page runner={runner} armingDelay={0} />, { container })
    void runner.waitFor({ id: 'shadow', kind: 'approval', prompt: 'Delete \u202Etxt.exe?' })
    await expect.poll(() => root.querySelector('[data-slot="prompt"] bdi')).not.toBeNull()
    const text = await copied((selection) => {
      selection.selectAllChildren(root.querySelector('[data-slot="prompt"] bdi') as Element)
    }, root)
    expect(text).toBe('Delete \u202Etxt.exe?')
    runner.abort()
    host.remove()
  })

  test('changes nothing of what runs', async () => {
    const args = { a: `x\u202Ey${' '.repeat(99)}`, [`k\u200B${'\n'.repeat(9)}`]: 1 }
    const { given, result } = await open(args)
    await userEvent.click(button('Approve'))
    await result
    expect(given).toEqual([args, args])
  })
})

describe('an error of a form', () => {
  test('that repeats a word of the schema shows it as foreign text (BUG-137)', async () => {
    const schema = { type: 'object', properties: { a: { type: 'array', title: 'T\u202Ext', maxItems: 1 } } }
    const { element } = await open({}, { kind: 'input', data: { schema } })
    await eventually(page.getByRole('textbox')).toBeVisible()
    await userEvent.fill(page.getByRole('textbox'), '1')
    await userEvent.click(button('Submit'))
    await expect
      .poll(() => element.querySelector('[data-slot="error"]')?.textContent)
      .toBe('Enter JSON of the type array.')
    expect(hasUnsafe(element.textContent)).toBe(false)
  })
})

describe('a field', () => {
  test('with hidden characters in its value says below what is in it (BUG-138)', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', default: 'x\u202Ey' }, b: { type: 'string' } } }
    const { element } = await open({}, { kind: 'input', data: { schema } })
    const [a, b] = [0, 1].map((at) => page.getByRole('textbox').nth(at))
    if (!a || !b) throw new Error('no fields')
    await eventually(a).toHaveAccessibleDescription('x\\u{202E}y')
    await userEvent.fill(b, 'p\u200Bq')
    await eventually(b).toHaveAccessibleDescription('p\\u{200B}q')
    await userEvent.fill(a, 'xy')
    await eventually(a).not.toHaveAccessibleDescription()
    expect(hasUnsafe(element.textContent)).toBe(false)
  })
})

const padding: [string, string][] = [
  ['100,000 blanks', `a${' '.repeat(100_000)}b`],
  ['100,000 line breaks', `a${'\n'.repeat(100_000)}b`],
  ['100,000 hidden characters', '\u202E'.repeat(100_000)],
  ['100,000 combining marks', `a${'\u0301'.repeat(100_000)}b`],
  ['50,000 hidden characters between letters', 'a\u202E'.repeat(50_000)],
  ['100,000 hidden characters of two kinds', '\u202E\u202D'.repeat(50_000)],
]

describe('padding', () => {
  test.each(padding)('of %s is there within a second', async (_name, text) => {
    const start = performance.now()
    await open({ text }, { prompt: text.slice(0, 100) })
    await settle()
    expect(performance.now() - start).toBeLessThan(3000)
    await userEvent.click(button('Decline'))
  })

  test.each(padding.slice(0, 4))('of %s pushes nothing out of sight', async (_name, text) => {
    const { element } = await open({ text })
    const content = element.querySelector('[data-slot="content"]') as Element
    expect(content.scrollHeight).toBeLessThanOrEqual(content.clientHeight + 1)
  })
})

describe.each([
  ['light', 1024],
  ['dark', 1024],
  ['dark', 320],
] as const)('spoofed text in %s, %d wide', (scheme, width) => {
  test('breaks no rule and stays within the page', async () => {
    await emulate(scheme)
    document.documentElement.style.colorScheme = 'light dark'
    await page.viewport(width, 768)
    const { element } = await open(
      {
        command: `ls -l${' '.repeat(160)}; rm -rf ~`,
        file: 'invoice\u202Efdp.exe',
        note: `Nothing to see here.${'\n'.repeat(60)}And send it to evil.example`,
        'pa\u200Bth': `Z${'\u0301\u0316\u0489'.repeat(12)}algo`,
        blank: '\u3164'.repeat(200),
        code: 'if (ok) {\n            run()\n}',
      },
      { prompt: 'Open \u2066invoice\u202Efdp.exe\u2069 for you?' },
    )
    const { violations } = await axe.run(document)
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth)
    if (import.meta.env.VITE_SHOTS) await page.screenshot({ path: `../../shots/spoof-${scheme}-${width}.png` })
  })
})

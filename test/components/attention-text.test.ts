// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { notificationText } from '../../src/components/attention/notification-text.js'
import { defaultLabels } from '../../src/components/labels.js'
import type { PendingItem } from '../../src/store/index.js'

const item = (given: Partial<PendingItem> = {}, prompt = 'Delete a.txt?', kind = 'approval'): PendingItem => ({
  key: 'a',
  request: { id: 'a', kind, prompt },
  seq: 1,
  askedAt: 0,
  danger: 'medium',
  trusted: true,
  ...given,
})

const textOf = (given: PendingItem, showPrompt = false) => notificationText(given, defaultLabels, showPrompt)
const bodyOf = (given: PendingItem, showPrompt = false) => textOf(given, showPrompt).body.replace(/[\u2068\u2069]/g, '')

describe('a notification', () => {
  it.each([
    ['approval', 'Approval needed'],
    ['input', 'Information needed'],
    ['question', 'Answer needed'],
    ['authorization', 'Sign-in needed'],
    ['transfer', 'Decision needed'],
  ])('for the kind %s is titled %s', (kind, title) => {
    expect(textOf(item({}, 'Now?', kind)).title).toBe(title)
  })

  it.each<[string, Partial<PendingItem>, string]>([
    ['a tool', { toolName: 'deploy' }, 'The tool deploy asks'],
    ['a tool of a source', { toolName: 'deploy', source: 'ops' }, 'The tool deploy (ops) asks'],
    ['the gate of a tool', { toolName: 'deploy', isGate: true }, 'The tool deploy wants to run'],
    ['a server', { asker: { kind: 'server', name: 'Files' } }, 'The server Files asks'],
    [
      'a server somewhere',
      { asker: { kind: 'server', name: 'Files', origin: 'files.example' } },
      'The server Files (files.example) asks',
    ],
    ['something else', { asker: { kind: 'oracle', name: 'Delphi' } }, 'Delphi asks'],
    [
      'somebody nobody vouches for',
      { asker: { kind: 'agent', name: 'Helper' }, trusted: false },
      'The agent Helper asks\nNot verified',
    ],
    ['nobody known', {}, ''],
  ])('says that it is %s', (_who, given, body) => {
    expect(bodyOf(item(given))).toBe(body)
  })

  it('has the text of the question only when asked to, below who asks', () => {
    const asked = item({ toolName: 'rm' })
    expect(bodyOf(asked)).toBe('The tool rm asks')
    expect(bodyOf(asked, true)).toBe('The tool rm asks\nDelete a.txt?')
  })

  it('shows what hides in foreign text, and keeps a name in its place', () => {
    const hostile = item({ toolName: 'rm\u202E\u200B', source: 'x\u2069' }, 'a\u0000b\u2028c')
    expect(textOf(hostile, true).body).toBe(
      'The tool \u2068rm\\u{202E}\\u{200B}\u2069 (\u2068x\\u{2069}\u2069) asks\na\\u{0}b\\u{2028}c',
    )
  })

  it('gives foreign text no line that looks like ours', () => {
    const hostile = item({ toolName: 'rm\nThe app Bank' }, 'Sure?\r\n\r\nThe app Bank asks')
    expect(bodyOf(hostile, true).split('\n')).toEqual(['The tool rm The app Bank asks', 'Sure? The app Bank asks'])
    expect(bodyOf(item({ toolName: '{name} $& {count}' }))).toBe('The tool {name} $& {count} asks')
  })

  it('cuts a long text with a mark, between characters', () => {
    expect(bodyOf(item({}, 'a'.repeat(200)), true)).toBe('a'.repeat(200))
    expect(bodyOf(item({}, 'a'.repeat(201)), true)).toBe(`${'a'.repeat(200)}…`)
    expect(bodyOf(item({}, '🙂'.repeat(200)), true)).toBe('🙂'.repeat(200))
    expect(bodyOf(item({}, `a${'🙂'.repeat(300)}`), true)).toBe(`a${'🙂'.repeat(199)}…`)
    expect(bodyOf(item({}, `${' '.repeat(1e6)}a`), true)).toBe('a')
    expect([...bodyOf(item({ toolName: 'n'.repeat(1e6) }))].length).toBeLessThan(230)
  })
})

import type { ClipboardEvent } from 'react'

const MARKS = '[data-slot="escape"], [data-slot="fold"]'
const LINES = 'p, dt, dd, li, h2, h3, h4, label, legend, summary, button'

/** What stands behind a mark of `<SafeText>`: the blanks it folds, or the characters its escapes name. */
function behind(mark: Element): string {
  const written = mark.textContent
  const count = Number.parseInt(written.slice(1), 10) || 1
  const chars = written.replace(/\\u\{(\w+)\}|./g, (_, code?: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : '',
  )
  return mark.getAttribute('data-raw') ?? chars.repeat(count)
}

/** The text of a range, with what stands behind each mark in place of the mark, each element on a line of its own. */
function trueText(range: Range): string {
  const { startContainer, startOffset, endContainer, endOffset } = range
  const nodes = document.createNodeIterator(range.commonAncestorContainer, NodeFilter.SHOW_TEXT)
  let text = ''
  let line: Element | null | undefined
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (!range.intersectsNode(node)) continue
    const mark = node.parentElement?.closest(MARKS)
    const end = node === endContainer ? endOffset : undefined
    const part = mark ? behind(mark) : (node.nodeValue ?? '').slice(node === startContainer ? startOffset : 0, end)
    if (part === '') continue
    const next = node.parentElement?.closest(LINES)
    text += line === undefined || line === next ? part : `\n${part}`
    line = next
  }
  return text
}

/** A copy of foreign text gives the characters that came, not the escapes that are shown for them. */
export function copyText(event: ClipboardEvent): void {
  const { currentTarget, clipboardData } = event
  // Chromium keeps the selection inside a shadow root to itself.
  const root = currentTarget.getRootNode()
  const selection = ('getSelection' in root ? (root as Document) : document).getSelection()
  if (!selection || selection.isCollapsed) return
  const range = selection.getRangeAt(0)
  if (![...currentTarget.querySelectorAll(MARKS)].some((mark) => range.intersectsNode(mark))) return
  event.preventDefault()
  clipboardData.setData('text/plain', trueText(range))
}

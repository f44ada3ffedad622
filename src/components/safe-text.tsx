import type { ReactNode } from 'react'
import { fill } from './labels.js'
import { asText } from './text-of.js'
import { useView } from './view-context.js'

// What the eye does not see, or what turns the text around it: controls, format and ignorable characters, blanks that
// are no plain space, lone surrogates. And from the fifth in a row on, combining marks: they cover what stands around them.
const HIDDEN = /(?![ \n\t]|\r\n)[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}\u2800]|\p{M}(?<=\p{M}{5})/u

// Where a joiner or a variation selector belongs to the writing: inside an emoji, after an Indic virama or between Arabic
// letters, after an emoji, in a keycap.
const IN_WRITING =
  /(?<=[\p{ExtPict}\p{EMod}]\uFE0F?)\u200D(?=\p{ExtPict})|(?<=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]|\p{sc=Arab}(?=.\p{sc=Arab}))[\u200C\u200D]|(?<=\p{ExtPict})[\uFE0E\uFE0F]|\uFE0F(?=\u20E3)/u

const UNSAFE = new RegExp(`(?!${IN_WRITING.source})(?:${HIDDEN.source})`, 'gu')

// Blanks that push the rest out of sight; more where a line starts, because code and JSON indent.
const GAP = /[ \t]{33,}|(?<=\S)[ \t]{9,}|(?:[ \t]*\r?\n){4,}/
const MARKED = new RegExp(`(${UNSAFE.source})\\1*|${GAP.source}`, 'gu')
const MOST_ALIKE = 8
// A thousand marks; what comes then is written out in the text itself, because each mark is an element.
const MOST_PARTS = 2000

const escapeOne = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`

/** Whether the text has characters that are shown as escapes. */
export const hasUnsafe = (text: string): boolean => text.search(UNSAFE) >= 0

/** Foreign text for places that hold only a string (`<option>`, `aria-label`): hidden characters as `\u{202E}`. */
export const escapeText = (text: string): string => text.replace(UNSAFE, escapeOne)

/**
 * Foreign text as a person must see it: no hidden characters, long gaps folded, its direction kept to itself, no markup
 * (K22). The data stays as it is, and is what a copy gives (bodies/copy-text.ts).
 */
export function SafeText({ children }: { children: string }): ReactNode {
  const { labels } = useView()
  const text = asText(children)
  const write = (run: string, char?: string): string => {
    const count = run.length / (char ?? ' ').length
    if (!char) return fill(labels.blanks, { count })
    const written = escapeOne(char)
    return count > MOST_ALIKE ? `⟨${count} × ${written}⟩` : written.repeat(count)
  }
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: run, 1: char, index } of text.matchAll(MARKED)) {
    if (parts.length > MOST_PARTS) break
    parts.push(
      text.slice(end, index),
      <span key={index} data-slot={char ? 'escape' : 'fold'} data-raw={char ? undefined : run}>
        {write(run, char)}
      </span>,
    )
    end = index + run.length
  }
  return <bdi>{end ? [...parts, text.slice(end).replace(MARKED, write)] : text}</bdi>
}

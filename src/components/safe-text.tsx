import { Fragment, type ReactNode } from 'react'

// What the eye does not see, or what turns the text around it: controls, format and ignorable characters, blanks that
// are no plain space, lone surrogates.
const HIDDEN = String.raw`(?![ \n\t]|\r\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]`

// Where a joiner or a variation selector belongs to the writing: inside an emoji, after an Indic virama, between Arabic
// letters, in a keycap.
const EMOJI = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`
const VIRAMA = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]`
const IN_WRITING = [
  String.raw`(?<=${EMOJI}\uFE0F?)\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=${VIRAMA})[\u200C\u200D]`,
  String.raw`(?<=\p{Script=Arabic})[\u200C\u200D](?=\p{Script=Arabic})`,
  String.raw`(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]`,
  String.raw`\uFE0F(?=\u20E3)`,
].join('|')

const UNSAFE = new RegExp(`(?!${IN_WRITING})${HIDDEN}`, 'gu')

const escapeOne = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`

/** Whether the text has characters that are shown as escapes. */
export const hasUnsafe = (text: string): boolean => text.search(UNSAFE) >= 0

/** Foreign text for places that hold only a string (`<option>`, `aria-label`): hidden characters as `\u{202E}`. */
export const escapeText = (text: string): string => text.replace(UNSAFE, escapeOne)

/** Foreign text as a person must see it: no hidden characters, its direction kept to itself, no markup (K22). The data stays as it is. */
export function SafeText({ children }: { children: string }): ReactNode {
  return <bdi>{hasUnsafe(children) ? segments(children) : children}</bdi>
}

function segments(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(UNSAFE)) {
    parts.push(
      <Fragment key={match.index}>
        {text.slice(end, match.index)}
        <span data-slot="escape">{escapeOne(match[0])}</span>
      </Fragment>,
    )
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)]
}

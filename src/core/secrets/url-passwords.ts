// After two slashes, or after a scheme that works with fewer, up to the last @ before the path; delimiters may be
// percent-encoded, where an address is a parameter of another one. A number before a delimiter is a port; where a
// delimiter stands in a password as it is, the next @ ends it.
const PASSWORD =
  /((?:(?<!\S)https?:[/\\]?|(?:[/\\]|%(?:25)*2f){2})(?:(?!%(?:25)*(?:2f|3a))[^ /\\?#:"[])*(?::|%(?:25)*3a))(?!\d*(?:[&"<>\s]|%(?:25)*2))(?:(?:(?!%(?:25)*2f)[^ /\\?#&])*|(?!\d+[/\\?#])[^\s@]{0,99})(?=@|%(?:25)*40)/gi

const MARK = '•••'

/** A text that is an address as a whole, as the browser reads it: its password may look like none to a pattern. */
function asBrowserReads(text: string): string {
  try {
    const url = new URL(text)
    const { password } = url
    if (password === '' || password === encodeURIComponent(MARK)) return text
    url.password = MARK
    return url.href.replace(encodeURIComponent(MARK), MARK)
  } catch {
    return text
  }
}

/** The text with a mark for each password before the host of an address. */
export function hideUrlPasswords(text: string): string {
  const hidden = text.replace(PASSWORD, `$1${MARK}`)
  // With a blank inside it is a sentence.
  return /^\S*@\S*$/.test(hidden) ? asBrowserReads(hidden) : hidden
}

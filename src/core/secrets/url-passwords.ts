// After two slashes, or after a scheme that works with fewer, up to the last @ before the path; delimiters may be
// percent-encoded, where an address is a parameter of another one. A number before a delimiter is a port; where a
// delimiter stands in a password as it is, the next @ ends it.
const PASSWORD =
  /((?:(?<!\S)https?:[/\\]?|(?:[/\\]|%(?:25)*2f){2})(?:(?!%(?:25)*(?:2f|3a))[^ /\\?#:"[])*(?::|%(?:25)*3a))(?!\d*(?:[&"<>\s]|%(?:25)*2))(?:(?:(?!%(?:25)*2f)[^ /\\?#&])*|(?!\d+[/\\?#])[^\s@]{0,99})(?=@|%(?:25)*40)/gi

/** The text with a mark for each password before the host of an address. */
export const hideUrlPasswords = (text: string): string => text.replace(PASSWORD, '$1•••')

// Letters, digits and signs over the Latin letter they look like. What differs only in width or style is NFKC's.
const SIGNS = 'аαɑᴀвβьсςᴄԁᴅđеεᴇһніιıɪкκᴋӏłмпηոɴοоօσøᴏ°рρᴘгʀѕꜱßтτᴛυսνωԝᴡхχуγ'
const LATIN = 'aaaabbbcccdddeeehhiiiikkkllmnnnnoooooooppprrssstttuuvwwwxxyy'
const LEET = '0134578@$!|'
const LETTERS = 'oieastbasil'

const mapped = (text: string, from: string, to: string): string =>
  text.replace(/[^ a-z]/g, (sign) => to[from.indexOf(sign)] ?? sign)

/** Lower case, without accents and what else is written around a letter. */
export const plain = (text: string): string => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize()

// One letter after the other, with something between them.
const SPACED = /(?<![\p{L}\p{N}])[\p{L}\p{N}@$!](?:[\s._*·-]+[\p{L}\p{N}@$!](?![\p{L}\p{N}]))+/gu

/**
 * The ways in which a text can be read, lower case: as it stands and with a space before each capital; with look-alike
 * letters as the letters they look like, and with digits as letters.
 */
export function readings(text: string): string[] {
  const visible = text.normalize('NFKC').replace(/\p{DI}/gu, '')
  const whole = visible.replace(SPACED, (letters) => letters.replace(/[\s._*·-]/g, ''))
  const split = whole.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
  const all = [split, whole].flatMap((one) => {
    const own = plain(one)
    const latin = mapped(own, SIGNS, LATIN)
    return [own, latin, mapped(latin, LEET, LETTERS)]
  })
  return [...new Set(all)]
}

const MAX_KNOWN = 4096

/** The characters a token of a pattern stands for. The engine is asked once for each: `[^\p{L}-]` means what it says. */
export class CharacterSet {
  readonly #one: RegExp
  // By code: 0 not asked yet, 1 out, 2 in.
  readonly #ascii = new Uint8Array(128)
  readonly #others = new Map<number, number>()

  constructor(token: string) {
    this.#one = new RegExp(`^${token}$`, 'u')
  }

  has(character: number): boolean {
    const known = character < 128 ? this.#ascii[character] : this.#others.get(character)
    return (known || this.#ask(character)) === 2
  }

  #ask(character: number): number {
    const answer = this.#one.test(String.fromCodePoint(character)) ? 2 : 1
    if (character < 128) this.#ascii[character] = answer
    else {
      if (this.#others.size >= MAX_KNOWN) this.#others.clear()
      this.#others.set(character, answer)
    }
    return answer
  }
}

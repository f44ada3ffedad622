// Randomness and not only the time: two tabs, or two copies of this module, may count in the same millisecond (K30).
const origin = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('')
let sequence = 0

/** `<prefix>-<base36>-<seq>`, unique across tabs and page loads. */
export const newId = (prefix: string): string => `${prefix}-${origin}-${++sequence}`

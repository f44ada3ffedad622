// Something with ink: a title of spaces or invisible characters names nothing.
export const isReadable = (text: unknown): text is string =>
  typeof text === 'string' && /(?![\p{DI}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text)

/** The name of a property in words. */
export const humanise = (name: string): string =>
  name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z]+)/g, (_, end, next) => `${end} ${next.length > 1 ? next : next.toLowerCase()}`)
    .trim() || name

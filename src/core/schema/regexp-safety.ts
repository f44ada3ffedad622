// About a second of matching on a slow phone.
const MAX_STEPS = 1e8

/**
 * The pattern as it may be run with the u flag, or undefined when it must not be run: broken, long, or with nested
 * quantifiers, which can take longer than anybody waits. A text too long for a pattern with many loops is let through.
 */
export function safePattern(source: string): string | undefined {
  const pattern = compiles(source) ? source : modernise(source)
  const bare = source.replace(/\\p\{\w*|\\[\s\S]|\[(\\[\s\S]|[^\]\\])*\]/gi, 'x')
  if (source.length > 200 || isNested(bare) || !compiles(pattern)) return undefined
  const loops = bare.split(/[*+]|\{\d+,/).length - +/^\^[^|]*$/.test(bare)
  // Time grows with the length of the text to the power of the loops.
  return loops < 2 ? pattern : `^[^]{${Math.ceil(MAX_STEPS ** (1 / loops)) * loops}}|(?:${pattern})`
}

function compiles(pattern: string): boolean {
  try {
    return !!new RegExp(pattern, 'u')
  } catch {
    return false
  }
}

/** What browsers accept without the u flag, written so that the flag accepts it: `[\w-\.]`, `\-`, `\@`. */
const modernise = (source: string): string =>
  source.replace(/(\\[dsw])-|-(?=\\[dsw])|\\[\s\S]/gi, (token, before = '') =>
    /-$/.test(token) ? `${before}\\x2d` : /[\w^$\\.*+?()[\]{}|/]$/.test(token) ? token : token.slice(1),
  )

function isNested(bare: string): boolean {
  const group = /\((?:\?[:=!<]\w*[>=!]?)?([^()]*)\)([*+{]?)/
  let nested = false
  let rest = bare
  while (!nested && group.test(rest)) {
    rest = rest.replace(group, (_, body, quantifier) => {
      const loose = /[*+?|]|\{\d+,/.test(body)
      nested = loose && quantifier !== ''
      return (loose ? 'x?' : 'x') + quantifier
    })
  }
  return nested
}

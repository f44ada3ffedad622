/** What is wrong with an endpoint's base URL, if anything; the page's policy allows the same. */
export function urlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return 'Give a full address, such as http://localhost:11434/v1'
  const local = url.hostname === 'localhost' || url.hostname === '127.0.0.1'
  return url.protocol === 'https:' || local ? undefined : 'Addresses other than this machine need https'
}

const strict = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
const agent = `${strict}; connect-src 'self' https: http://localhost:* http://127.0.0.1:*`

const phone = `${strict}; connect-src 'self' ws://localhost:* ws://127.0.0.1:*`

/** The policy of a demo page: only the agent page may connect anywhere (DESIGN 7.6), and the phone page to a local socket. */
export function policyFor(url) {
  if (/^\/phone(\.html)?([?#]|$)/.test(url)) return phone
  return /^\/agent(\.html)?([?#]|$)/.test(url) ? agent : strict
}

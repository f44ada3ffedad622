const strict = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
const agent = `${strict}; connect-src 'self' https: http://localhost:* http://127.0.0.1:*`

/** The Content-Security-Policy of a demo page: only the agent page may connect anywhere (DESIGN 7.6). */
export function policyFor(url) {
  return /^\/agent(\.html)?([?#]|$)/.test(url) ? agent : strict
}

// What of the handed case files is not run by test/vectors.test.ts and test/bug-reports.test.ts, each with the reason.
// Those tests assert that every case is either run or listed here.

const TRANSCRIPT = "an agent loop's transcript (DESIGN 7.1): test/demo/agent-vectors.test.ts"
const STREAM = "an agent loop's stream (DESIGN 7.1): test/demo/agent-vectors.test.ts"
const HOOKS = "an agent client's beforeTool, afterTool and metrics: with the toolnexus adapter"
const ELICITATION = 'elicitation: with the MCP and toolnexus adapters'
const FORM = 'a form in a dialog: test/components and test/browser'

export const WAITING_VECTORS: Record<string, string> = {
  D01: TRANSCRIPT,
  D02: TRANSCRIPT,
  D03: TRANSCRIPT,
  D05: TRANSCRIPT,
  S01: STREAM,
  S02: STREAM,
  S03: STREAM,
  K02: HOOKS,
  K04: HOOKS,
  K05: HOOKS,
  K06: HOOKS,
  K07: HOOKS,
  K09: HOOKS,
  K11: HOOKS,
  K13: HOOKS,
  E01: ELICITATION,
  E02: ELICITATION,
  E04: ELICITATION,
  E06: ELICITATION,
  E08: ELICITATION,
  E09: ELICITATION,
  E10: ELICITATION,
  G03: "resuming an agent's turn: on the demo's agent",
  H18: FORM,
  H20: FORM,
  H21: FORM,
  H23: 'a link in a dialog: test/browser',
}

/** Bug reports of later work. */
export const WAITING_BUGS: Record<string, string> = {
  'BUG-151': 'the MCP adapter',
}

/** Bug reports that need a dialog, React or a real browser: in test/browser and test/components, by their ids. */
export const BROWSER_BUGS: readonly string[] = [
  'BUG-038',
  'BUG-049',
  'BUG-050',
  'BUG-057',
  'BUG-072',
  'BUG-073',
  'BUG-075',
  'BUG-079',
  'BUG-082',
  'BUG-084',
  'BUG-087',
  'BUG-089',
  'BUG-090',
  'BUG-091',
  'BUG-095',
  'BUG-096',
  'BUG-100',
  'BUG-101',
  'BUG-104',
  'BUG-105',
  'BUG-109',
  'BUG-110',
  'BUG-111',
  'BUG-113',
  'BUG-116',
  'BUG-117',
  'BUG-121',
  'BUG-137',
  'BUG-138',
  'BUG-141',
  'BUG-143',
  'BUG-146',
  'BUG-148',
  'BUG-152',
  'BUG-153',
  'BUG-156',
  'BUG-168',
  'BUG-171',
  'BUG-180',
  'BUG-182',
  'BUG-183',
  'BUG-192',
]

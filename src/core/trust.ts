/** Whether the app vouches for a tool or an asker: only `true` and nothing said mean yes (DESIGN 8.4). */
export const isTrusted = ({ trusted }: { readonly trusted?: unknown }): boolean =>
  trusted === undefined || trusted === true

/** Whether a `needsApproval` may ask: only `false` and nothing said mean that it never does (DESIGN 8.4). */
export const mayAsk = (needsApproval: unknown): boolean => needsApproval !== undefined && needsApproval !== false

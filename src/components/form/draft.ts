/** What was typed into one form so far, by field name. A field that nobody touched is not in it. */
export interface FormDraft {
  readonly values: Map<string, unknown>
}

export const createDraft = (): FormDraft => ({ values: new Map() })

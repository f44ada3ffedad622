import type { ToolResult } from 'assent'
import type { ReactNode } from 'react'

/** Results as the app was told them, under a title. */
export function Told({ label, results }: { label: string; results: readonly ToolResult[] }): ReactNode {
  return (
    <output className="result" aria-label={label}>
      <span className="told">{label}</span>
      <span className="code">
        {results.map((result) => JSON.stringify(result, null, 2)).join('\n') || 'nothing yet'}
      </span>
    </output>
  )
}

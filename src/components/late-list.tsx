import { type ReactNode, useEffect, useState } from 'react'
import { type Extras, loadExtras } from './load-extras.js'
import { useView } from './view-context.js'

/** A list that is loaded when it is first shown. Nothing on the server, so that no list of one person reaches another. */
export function LateList({ name }: { name: 'DecisionList' | 'PermissionList' | 'RunList' }): ReactNode {
  const { labels } = useView()
  const [extras, setExtras] = useState<Extras | 'failed'>()

  useEffect(() => {
    if (!extras) loadExtras().then(setExtras, () => setExtras('failed'))
  }, [extras])

  if (!extras) return null
  if (extras === 'failed') {
    return (
      <p role="alert">
        {labels.listMissing}{' '}
        <button type="button" onClick={() => setExtras(undefined)}>
          {labels.retry}
        </button>
      </p>
    )
  }
  const List = extras[name]
  return <List />
}

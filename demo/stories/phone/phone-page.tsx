import { PendingList, ToolRunner } from 'assent'
import { createToolRunner } from 'assent/runner'
import { joinQuestions, type SharedOutcome } from 'assent/yjs'
import { type ReactNode, useEffect, useState } from 'react'
import { PageTitle } from '../../ui/page-title.js'
import { useRoom } from './use-room.js'

// It has no tools: what is answered here runs on the desk.
const runner = createToolRunner({})
const user = { name: 'Bob on the phone' }

const inWords = ({ request, taken, ok }: SharedOutcome): string => {
  const what = ok === undefined ? 'not taken' : ok ? 'approved' : 'not approved'
  return `${request.prompt} ${what}${taken ? ', here' : ''}`
}

/** The second device: the questions of whoever shares some. */
export function PhonePage({ server }: { server: string | null }): ReactNode {
  const room = useRoom(server)
  const [outcomes, setOutcomes] = useState<string[]>([])
  useEffect(() => {
    if (!room) return
    const onAnswered = (outcome: SharedOutcome): void => setOutcomes((all) => [...all, inWords(outcome)])
    return joinQuestions(runner, { ...room, user, onAnswered }).dispose
  }, [room])
  return (
    <>
      <p className="eyebrow">Second device</p>
      <PageTitle>The phone</PageTitle>
      <p className="lead">What the other page asks comes up here too. Answer it here, and the tool runs there.</p>
      <h2 id="questions">Questions from the desk</h2>
      <section className="stage" aria-labelledby="questions">
        <ToolRunner runner={runner} presentation="inline">
          <PendingList />
        </ToolRunner>
        <output className="result" aria-label="Answered">
          {outcomes.length === 0 ? 'Nothing answered yet' : outcomes.at(-1)}
        </output>
      </section>
    </>
  )
}

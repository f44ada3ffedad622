import { ToolRunner } from 'assent'
import { createToolRunner } from 'assent/runner'
import { type ReactNode, useEffect, useState } from 'react'
import { joinQuestions, type SharedOutcome } from '../../../src/adapters/yjs.js'
import type { Link } from './desk.js'

const runner = createToolRunner({})

const inWords = ({ taken, ok, by }: SharedOutcome): string => JSON.stringify({ taken, ok, by })

/** The page of somebody else: no tools, only their questions. */
export function Phone({ link }: { link: Link }): ReactNode {
  const [outcomes, setOutcomes] = useState<string[]>([])
  useEffect(() => {
    const onAnswered = (outcome: SharedOutcome): void => setOutcomes((all) => [...all, inWords(outcome)])
    return joinQuestions(runner, { ...link, onAnswered }).dispose
  }, [link])
  return (
    <ToolRunner runner={runner} armingDelay={0}>
      <p data-testid="outcomes">{outcomes.join(' | ')}</p>
    </ToolRunner>
  )
}

import { pauseClock } from '../core/internal.js'
import type { LiveRun } from './runs.js'

/** Stops the clock of a call and of all calls around it while a person is asked. Returns the resume. */
export function pauseCalls(run: LiveRun | undefined): () => void {
  const resumes: (() => void)[] = []
  for (let call = run; call; call = call.parent) resumes.push(pauseClock(call.controller.signal))
  return () => {
    for (const resume of resumes) resume()
  }
}

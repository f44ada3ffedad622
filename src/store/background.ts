import type { Publisher } from './publisher.js'
import type { LiveRun, Runs } from './runs.js'
import type { Turns } from './turns.js'

/** How a call goes to the background: its tool offers it, the person takes the offer. */
export interface Background {
  offer(run: LiveRun, move: LiveRun['move']): void
  /** False when there is no offer, or it is over. */
  detach(run: LiveRun): boolean
}

export function createBackground(runs: Runs, turns: Turns, { change, publish, publishSoon }: Publisher): Background {
  const offer = (run: LiveRun, move: LiveRun['move']): void => {
    if (run.move === move || !runs.getLive(run.record.id)) return
    run.move = move
    runs.update(run)
    publishSoon()
  }

  const detach = (run: LiveRun): boolean => {
    const { move } = run
    if (!move) return false
    // Before it goes: nobody who aborts in the same moment takes it along.
    const mark = (isDetached: boolean): void => {
      run.isDetached = isDetached
      run.move = isDetached ? undefined : move
      runs.update(run)
      change()
    }
    mark(true)
    const isMoved = move()
    if (isMoved) {
      runs.leaveTwins(run)
      turns.leave(run)
    } else mark(false)
    publish()
    return isMoved
  }

  return { offer, detach }
}

import type { Runner } from '../../store/index.js'

/**
 * Shows one number for all the runners of a page: how many of their questions wait. A runner that is watched twice counts
 * once. Watching returns its end; `show` is told changes only, so that a page which never asked shows nothing.
 */
export function sumOfCounts(show: (count: number) => void): (runner: Runner) => () => void {
  const watched: Runner[] = []
  let shown = 0
  const update = (): void => {
    let count = 0
    for (const runner of new Set(watched)) count += runner.count()
    if (count === shown) return
    shown = count
    show(count)
  }
  return (runner) => {
    const unsubscribe = runner.subscribe(update)
    watched.push(runner)
    update()
    return () => {
      unsubscribe()
      watched.splice(watched.indexOf(runner), 1)
      update()
    }
  }
}

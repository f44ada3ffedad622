// A page in the background has no frames; what happens there is told a few times a second.
const WITHOUT_FRAMES = 200
const FRAME = 16

/** Calls back once before the next paint; where nothing is painted, soon. */
export function nextFrame(callback: () => void): void {
  if (typeof requestAnimationFrame === 'undefined') {
    setTimeout(callback, FRAME)
    return
  }
  let isOver = false
  let frame = 0
  const fire = (): void => {
    if (isOver) return
    isOver = true
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    callback()
  }
  const timer = setTimeout(fire, WITHOUT_FRAMES)
  frame = requestAnimationFrame(fire)
}

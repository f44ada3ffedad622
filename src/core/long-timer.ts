// setTimeout takes 32 bits; a longer delay would fire at once. A minute at most, so that a clock that jumped (sleep, a
// corrected time) is noticed soon.
const CHUNK = 60_000

/** Calls back once `now() >= end`, at the latest a minute after the clock says so. Returns the cancel. */
export function callAt(end: number, now: () => number, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const wait = (): void => {
    timer = setTimeout(() => (now() < end ? wait() : callback()), Math.min(end - now(), CHUNK))
  }
  wait()
  return () => clearTimeout(timer)
}

// Import this before anything that brings React: a renderer looks for the hook once, when it is loaded.

interface Fiber {
  alternate: Fiber | null
}

interface Counter {
  commits: number
}

/** How many commits React made in this page, in all roots. */
export const counter: Counter = { commits: 0 }

Object.assign(globalThis, {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: {
    isDisabled: false,
    supportsFiber: true,
    renderers: new Map(),
    checkDCE() {},
    inject: () => 1,
    onScheduleFiberRoot() {},
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
    onCommitFiberRoot(_renderer: number, _root: { current: Fiber }) {
      counter.commits++
    },
  },
})

/** The commits that happen during `act` and until the page is quiet. */
export async function commitsOf(act: () => unknown): Promise<number> {
  await quiet()
  const before = counter.commits
  await act()
  await quiet()
  return counter.commits - before
}

async function quiet(): Promise<void> {
  let seen = -1
  while (seen !== counter.commits) {
    seen = counter.commits
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

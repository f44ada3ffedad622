import { useEffect, useLayoutEffect } from 'react'

// React 18 warns about a layout effect on the server, where neither runs.
export const useBrowserLayoutEffect: typeof useLayoutEffect =
  typeof document === 'undefined' ? useEffect : useLayoutEffect

import { type ReactNode, useEffect, useState } from 'react'
import { type FrameLabels, fill } from './labels.js'

const pad = (part: number): string => String(part).padStart(2, '0')

/** Seconds as `0:05` or `1:00:05`. */
export function clockTime(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  const clock = `${hours > 0 ? pad(minutes) : minutes}:${pad(seconds % 60)}`
  return hours > 0 ? `${hours}:${clock}` : clock
}

/** The time left until `expiresAt`, second by second. `role="timer"` is not read aloud at each tick. */
export function Countdown({ expiresAt, labels }: { expiresAt: number; labels: FrameLabels }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1000))
  return (
    <p data-slot="countdown" data-state={seconds <= 10 ? 'urgent' : 'calm'} role="timer">
      {fill(labels.expiresIn, { time: clockTime(seconds) })}
    </p>
  )
}

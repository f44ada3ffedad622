import { useEffect, useState } from 'react'
import { openRoom, type Room } from './room.js'

/** The room of this page, while it is shown. */
export function useRoom(server: string | null = null): Room | undefined {
  const [room, setRoom] = useState<Room>()
  useEffect(() => {
    let isOver = false
    let opened: Room | undefined
    void openRoom(server).then((next) => {
      opened = next
      if (isOver) next.leave()
      else setRoom(next)
    })
    return () => {
      isOver = true
      opened?.leave()
      setRoom(undefined)
    }
  }, [server])
  return room
}

import type { ComponentType } from 'react'

export interface StoryMeta {
  /** The deep link: `#/stories/<id>`; also the file's name. */
  id: string
  title: string
  /** One line for the overview. */
  summary: string
  /** What to try, and how it ends. */
  tryThis: string
}

export interface Story {
  meta: StoryMeta
  Component: ComponentType
}

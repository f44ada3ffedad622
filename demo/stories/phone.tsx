import { defineTool, ToolRunner, usePending, useToolRunner } from 'assent'
import { type Shared, shareQuestions } from 'assent/yjs'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { RunButton } from '../ui/run-button.js'
import { useRoom } from './phone/use-room.js'
import type { StoryMeta } from './story-meta.js'

export const meta: StoryMeta = {
  id: 'phone',
  title: 'Answer from the phone',
  summary: 'The same question on another device; the tool runs at home.',
  tryThis:
    'Press “Open the phone” and put the two pages side by side, then press “Publish the release”. The question is on both. Approve it on the phone: the dialog here goes, and the call ends here with “published 2.1.0”. Whoever answers first decides. What is signed with stays here: the phone says that it was withheld.',
}

const publish = defineTool({
  name: 'publish_release',
  description: 'Publish a release',
  inputSchema: {
    type: 'object',
    properties: { version: { type: 'string' }, signing_key: { type: 'string' } },
    required: ['version'],
  },
  needsApproval: true,
  execute: ({ version }) => `published ${version}`,
})

function Sharing({ server }: { server: string | null }): ReactNode {
  const { runner } = useToolRunner()
  const room = useRoom(server)
  const [shared, setShared] = useState<Shared>()
  useEffect(() => {
    if (!room) return
    const handle = shareQuestions(runner, { ...room, user: { name: 'Ada at the desk' } })
    setShared(handle)
    return () => {
      setShared(undefined)
      handle.dispose()
    }
  }, [runner, room])
  return shared && <Lookers shared={shared} />
}

const noOne = () => () => {}

function Lookers({ shared }: { shared: Shared }): ReactNode {
  const [open] = usePending()
  const who = (): string =>
    open
      ? shared
          .lookers(open.key)
          .map(({ name }) => name)
          .join(', ')
      : ''
  const names = useSyncExternalStore(open ? shared.subscribe : noOne, who)
  return <p role="status">{names === '' ? 'Nobody else is looking' : `Also looking: ${names}`}</p>
}

export default function Phone({ server = null }: { server?: string | null }) {
  return (
    <ToolRunner tools={[publish]}>
      <RunButton tool="publish_release" args={{ version: '2.1.0', signing_key: 'k-83f1' }}>
        Publish the release
      </RunButton>
      {server === null && (
        <a href="./phone.html" target="_blank" rel="noopener">
          Open the phone
        </a>
      )}
      <Sharing server={server} />
    </ToolRunner>
  )
}

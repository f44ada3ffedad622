import { type ReactNode, useId, useMemo, useSyncExternalStore } from 'react'
import { type OpenQuestion, useRunner } from '../react/index.js'
import { FOR_BODIES } from './also-sent.js'
import { ApprovalBody } from './bodies/approval-body.js'
import { Actions, Content } from './bodies/body-parts.js'
import { LateBody } from './bodies/late-body.js'
import { BodyBoundary } from './body-boundary.js'
import { type Kind, needsMore } from './kinds.js'
import { type Shell, ShellContext } from './shell-context.js'
import { useView } from './view-context.js'

/** The ids of one shown question. */
export function useNewShell(place: Shell['place'], onBodyReady: () => void): Shell {
  const id = useId()
  return useMemo(
    () => ({
      title: `${id}title`,
      prompt: `${id}prompt`,
      danger: `${id}danger`,
      form: `${id}form`,
      place,
      onBodyReady,
    }),
    [id, place, onBodyReady],
  )
}

/**
 * What names a shown question. High danger is heard with its title; the description is the prompt alone (DESIGN 7.2), and
 * a level that is read out each time would teach people to skip what follows.
 */
export const namedBy = ({ danger }: OpenQuestion, shell: Shell): string =>
  danger === 'high' ? `${shell.title} ${shell.danger}` : shell.title

interface RequestShellProps {
  item: OpenQuestion
  kind: Kind
  shell: Shell
  armed: boolean
  /** Further buttons beside Close. */
  tools?: ReactNode
  children?: ReactNode
}

/** What every question has, in a dialog or on a card: a title, Close, and the body of its kind or the app's own. */
export function RequestShell({ item, kind, shell, armed, tools, children }: RequestShellProps): ReactNode {
  const { labels, dialogs } = useView()
  const Title = shell.place === 'dialog' ? 'h2' : 'h3'
  const own = [item.request.kind, kind.name].find((name) => Object.hasOwn(dialogs, name))
  const runner = useRunner()
  const isAnswerable = useSyncExternalStore(
    runner.subscribe,
    () => runner.isAnswerable(item),
    () => true,
  )
  const Custom = own === undefined || !isAnswerable ? undefined : dialogs[own]
  const props = { item, armed, labels }
  const late = isAnswerable ? (kind.late ?? (needsMore(item) ? 'ConsentBody' : undefined)) : 'GoneBody'
  return (
    <ShellContext.Provider value={shell}>
      <header data-slot="header">
        <Title data-slot="title" id={shell.title} tabIndex={-1}>
          {labels[kind.title]}
        </Title>
        {tools}
        <button type="button" data-slot="close" aria-label={labels.close} onClick={() => item.cancel()}>
          <span aria-hidden="true">×</span>
        </button>
      </header>
      {children}
      {Custom ? (
        <>
          <Content item={item} labels={labels} shown={FOR_BODIES} />
          <BodyBoundary fallback={<Actions {...props} />}>
            <div data-slot="body">
              <Custom {...props} />
            </div>
          </BodyBoundary>
        </>
      ) : late ? (
        <LateBody {...props} name={late} />
      ) : (
        <ApprovalBody {...props} />
      )}
    </ShellContext.Provider>
  )
}

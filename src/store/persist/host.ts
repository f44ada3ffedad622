import { CANCELLED, errorResult } from '../../core/internal.js'
import { dangerOf } from '../danger.js'
import type { HostParts, KeeperHost } from '../keeper.js'
import { isToolText } from '../registry.js'
import type { PendingItem } from '../types.js'

/** What a keeper needs of its runner, made of the runner's parts. */
export function createHost(parts: HostParts): KeeperHost {
  const { options, questions, runs, registry, policy, publisher, stored } = parts
  const { answer, abort, decided, tell, goOn, warnIfNone, isDisposed } = parts

  const takenAway = (key: string): 'dropped' | 'aborted' | undefined => {
    const how = stored.endings.get(key)
    stored.endings.delete(key)
    return how
  }

  /** A stored question with what the tool and the rules say of it now; a tool may have become graver, never less. */
  const asItIsNow = ({ rememberable, ...rest }: PendingItem): PendingItem => {
    const tool = rest.toolName === undefined ? undefined : registry.get(rest.toolName)
    const item = { ...rest, danger: dangerOf([rest, tool ?? {}], rest.trusted) }
    const isOffered = rememberable && policy.canRemember(item)
    return isOffered ? { ...item, rememberable } : item
  }

  return {
    options: () => (options.persist ? (options.persist === true ? {} : options.persist) : undefined),
    show(shown, tool) {
      warnIfNone()
      const { item, answer: given } = questions.reopen(asItIsNow(shown))
      if (tool !== undefined) stored.tools.set(item.key, tool)
      publisher.publish()
      return {
        key: item.key,
        answer: given
          .then((said) => takenAway(item.key) ?? said)
          .then((said) => (said === 'dropped' ? undefined : said)),
      }
    },
    drop: (key) => stored.drop(questions, key),
    dropOwn: (key) => void questions.drop(key),
    answer,
    decided: (item, given) => decided(item, given, given.reason === 'expired' ? 'code' : 'person'),
    goOn: (turn, isTold) => (isDisposed() ? Promise.resolve(errorResult(CANCELLED)) : goOn(turn, isTold)),
    note(record) {
      stored.calls.note(record)
      if (!runs.keep(record)) return false
      const { status, endedAt } = record
      const outcome = status === 'done' || status === 'cancelled' ? status : 'failed'
      if (endedAt !== undefined) for (const tellEnd of stored.takeEnds(record.id)) tellEnd({ outcome })
      publisher.publishSoon()
      return true
    },
    unnote(id) {
      stored.calls.over(id, errorResult(CANCELLED))
      if (runs.drop(id)) publisher.publishSoon()
    },
    runsAfter(tool, { ok }) {
      const { onRefusal = options.onRefusal } = (typeof tool === 'string' ? registry.get(tool) : tool) ?? {}
      return ok || onRefusal === 'retry'
    },
    canRun(name, text) {
      const tool = registry.get(name)
      return tool !== undefined && isToolText(text, tool)
    },
    asks: () => options.host !== false,
    isDisposed,
    isLive: (id) => runs.getLive(id) !== undefined,
    abort: (id) => abort(id),
    onResult: (result, record) => tell('onResult', () => options.onResult?.(result, record)),
    onAnswer: (given, item) => tell('onAnswer', () => options.onAnswer?.(given, item)),
  }
}

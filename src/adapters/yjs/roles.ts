import type { Runner } from '../../store/types.js'

interface Roles {
  /** Ids under which the runner shares its questions. */
  readonly owners: Set<string>
  /** Keys of questions it shows for others. */
  readonly joined: Set<string>
}

const roles = new WeakMap<Runner, Roles>()

/** What a runner shares and what it joined, so that one runner can do both and never shares what it joined. */
export function rolesOf(runner: Runner): Roles {
  const known = roles.get(runner) ?? { owners: new Set(), joined: new Set() }
  roles.set(runner, known)
  return known
}

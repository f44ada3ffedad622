import { copyOf, defined, freezeDeep, isRecord, parseInstant } from '../../core/internal.js'
import { withoutPasswords } from '../../core/secrets/without-secrets.js'
import { idOf } from './merge-rows.js'
import { isStoredRow, knownMembers } from './row-shape.js'
import type { OnProblem } from './storage-problem.js'
import type { StoredRow } from './stored-row.js'

/** A row of one version as a row of the next; its `version` is set by who calls. */
type Migration = (row: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

export interface RowVersions {
  readonly current: number
  /** By the version they start from. */
  readonly migrations: Readonly<Record<number, Migration>>
}

/** The version of the rows this code writes, and the ways there. */
export const ROW_VERSIONS: RowVersions = { current: 1, migrations: {} }

type Reading = { row: StoredRow } | { newer: unknown } | { error: unknown }

/** The row in the current version; throws where no way leads there. */
function migrate(row: Record<string, unknown>, { current, migrations }: RowVersions): Record<string, unknown> {
  let newest: Readonly<Record<string, unknown>> = row
  for (let version = Number(row.version); version < current; version++) {
    const step = Object.hasOwn(migrations, version) ? migrations[version] : undefined
    if (!step) throw new Error(`no migration from version ${version}`)
    newest = step(newest)
  }
  return { ...newest, version: current }
}

/** Throws for what a runner would not have taken either: too deep, or too much to be shown. */
function assertShowable({ item, call, answers = [], answer, approval }: StoredRow): void {
  for (const part of [item?.request, item?.args, item?.argsSchema, item?.schema, call?.args]) copyOf(part)
  for (const given of [...answers, answer, approval]) copyOf(given)
}

/** When a question ends is what its request says, and nothing beside it. A password in an address was not to be kept. */
function withRequest(row: StoredRow): StoredRow {
  if (!row.item) return row
  const request = withoutPasswords(row.item.request)
  return { ...row, item: defined({ ...row.item, request, expiresAt: parseInstant(request.expiresAt) }) }
}

function read(value: unknown, versions: RowVersions): Reading {
  try {
    if (!isRecord(value) || !Number.isSafeInteger(value.version)) return { error: new Error('no row') }
    if (Number(value.version) > versions.current) return { newer: value }
    // Through JSON, so that what is left is plain: no getter, no prototype, no circle, no map.
    const plain = migrate(JSON.parse(JSON.stringify(value)), versions)
    const row = knownMembers(plain)
    if (!isStoredRow(row)) return { error: new Error('a row with a member missing or of the wrong type') }
    assertShowable(row)
    return { row: freezeDeep(withRequest(row)) }
  } catch (error) {
    return { error }
  }
}

/** The row a stored value is, as a frozen copy; undefined when it is none, or one of a newer version. Never throws. */
export function readRow(value: unknown, versions: RowVersions = ROW_VERSIONS): StoredRow | undefined {
  const reading = read(value, versions)
  return 'row' in reading ? reading.row : undefined
}

export interface ReadRows {
  readonly rows: readonly StoredRow[]
  /** What a newer version wrote: left where it is, for the tab that understands it. */
  readonly newer: readonly unknown[]
}

/** The rows among stored values, one by one; `onBad` is told each that is none, with its id where it has one. */
export function readRows(values: readonly unknown[], onBad: OnProblem, versions: RowVersions = ROW_VERSIONS): ReadRows {
  const rows: StoredRow[] = []
  const newer: unknown[] = []
  for (const value of values) {
    const reading = read(value, versions)
    if ('row' in reading) rows.push(reading.row)
    else if ('newer' in reading) newer.push(value)
    else onBad({ kind: 'row', error: reading.error, id: idOf(value) })
  }
  return { rows, newer }
}

// @vitest-environment node
import * as main from 'assent'
import * as core from 'assent/core'
import * as runner from 'assent/runner'
import * as yjs from 'assent/yjs'
import { describe, expect, it } from 'vitest'

const CORE = ['authRequired', 'defineTool', 'offered', 'pending', 'pendingOf', 'runTool', 'validateAnswer']

const RUNNER = ['createMemoryStorage', 'createToolRunner', 'gated', 'openIndexedDb', 'questionTool']

const YJS = ['joinQuestions', 'shareQuestions']

const MAIN = [
  'ApprovalDialog',
  'AuthorizationDialog',
  'History',
  'InputDialog',
  'PendingDialogs',
  'PendingList',
  'Permissions',
  'QuestionDialog',
  'RunTray',
  'ToolRunner',
  'askForNotifications',
  'authRequired',
  'createToolRunner',
  'defineTool',
  'pending',
  'pendingOf',
  'runTool',
  'usePending',
  'useRun',
  'useRuns',
  'useTool',
  'useToolRunner',
  'validateAnswer',
]

describe('the public surface (DESIGN 3)', () => {
  it.each([
    ['assent', main, MAIN],
    ['assent/core', core, CORE],
    ['assent/runner', runner, RUNNER],
    ['assent/yjs', yjs, YJS],
  ])('of %s is this list', (_name, entry, names) => {
    expect(Object.keys(entry).sort()).toEqual(names)
  })

  it('is the same thing from whichever entry it comes', () => {
    // What only adapters need would be carried by every app.
    const { offered: _, ...shared } = core
    for (const [name, value] of Object.entries(shared)) expect(main).toHaveProperty(name, value)
    expect(main.createToolRunner).toBe(runner.createToolRunner)
  })
})

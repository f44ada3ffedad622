// @vitest-environment node
import { authRequired, pending, pendingOf } from 'assent/core'
import { describe, expect, it } from 'vitest'

describe('pending', () => {
  it('builds the error-flagged result that carries the request', () => {
    expect(pending({ id: 'r1', kind: 'approval', prompt: 'Delete 3 files?' })).toStrictEqual({
      output: 'Delete 3 files?',
      isError: true,
      metadata: { pending: { id: 'r1', kind: 'approval', prompt: 'Delete 3 files?' } },
    })
  })

  it('puts the url on its own line of the output', () => {
    expect(pending({ kind: 'authorization', prompt: 'Log in', url: 'https://example.com' }).output).toBe(
      'Log in\nhttps://example.com',
    )
  })

  it('leaves absent fields absent', () => {
    const request = pendingOf(pending({ kind: 'input', prompt: '', url: undefined, data: undefined }))
    expect(Object.keys(request ?? {})).toEqual(['id', 'kind', 'prompt'])
  })

  it('keeps falsy data and an empty id as they are', () => {
    expect(pendingOf(pending({ id: '', kind: 'input', prompt: '', data: {} }))).toStrictEqual({
      id: '',
      kind: 'input',
      prompt: '',
      data: {},
    })
  })

  it('generates ids that no other request has (K30)', () => {
    const ids = Array.from({ length: 1000 }, () => pendingOf(pending({ kind: 'input', prompt: 'Name?' }))?.id ?? '')
    expect(new Set(ids).size).toBe(1000)
    for (const id of ids) expect(id).toMatch(/^pnd-[0-9a-z]+-[0-9]+$/)
  })
})

describe('authRequired', () => {
  it('asks for an authorization at the url', () => {
    const result = authRequired('https://x/login')
    expect(result.output).toBe('Authorization required to continue\nhttps://x/login')
    expect(pendingOf(result)).toMatchObject({
      kind: 'authorization',
      prompt: 'Authorization required to continue',
      url: 'https://x/login',
    })
  })

  it('takes a prompt of its own', () => {
    expect(pendingOf(authRequired('https://x', 'Log in at X'))?.prompt).toBe('Log in at X')
  })
})

describe('pendingOf', () => {
  const request = { id: 'r', kind: 'approval', prompt: 'P' }

  it('goes by metadata.pending and not by isError', () => {
    expect(pendingOf({ output: 'x', isError: false, metadata: { pending: request } })).toBe(request)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a string', 'pending'],
    ['a result without metadata', { output: '', isError: true }],
    ['metadata null', { output: '', isError: true, metadata: null }],
    ['metadata in a list', { output: '', isError: true, metadata: [{ pending: request }] }],
    ['pending: true', { output: '', isError: true, metadata: { pending: true } }],
    ['pending as text', { output: '', isError: true, metadata: { pending: JSON.stringify(request) } }],
    ['a request in a list', { output: '', isError: true, metadata: { pending: [request] } }],
    ['no id', { metadata: { pending: { kind: 'k', prompt: 'p' } } }],
    ['a number for an id', { metadata: { pending: { ...request, id: 1 } } }],
    ['no kind', { metadata: { pending: { id: 'r', prompt: 'p' } } }],
    ['a kind that is null', { metadata: { pending: { ...request, kind: null } } }],
    ['no prompt', { metadata: { pending: { id: 'r', kind: 'k' } } }],
  ])('sees no suspension in %s (K35)', (_what, result) => {
    expect(pendingOf(result)).toBeUndefined()
  })

  it('reads the optional fields leniently', () => {
    const odd = { ...request, url: 5, data: null, expiresAt: null }
    expect(pendingOf({ metadata: { pending: odd } })).toBe(odd)
  })
})

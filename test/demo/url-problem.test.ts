// @vitest-environment node
import { expect, test } from 'vitest'
import { urlProblem } from '../../demo/agent/url-problem.js'

test.each(['https://api.example.com/v1', 'http://localhost:11434/v1', 'http://127.0.0.1:8080'])('takes %s', (url) => {
  expect(urlProblem(url)).toBeUndefined()
})

test.each(['', 'api.example.com', '/v1', 'javascript:alert(1)', 'file:///etc/passwd'])(
  'wants a full address in place of "%s"',
  (url) => {
    expect(urlProblem(url)).toMatch(/^Give a full address/)
  },
)

test('wants https for another machine, as the policy of the page does', () => {
  expect(urlProblem('http://192.168.0.2:11434/v1')).toMatch(/need https$/)
})

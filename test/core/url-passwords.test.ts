// @vitest-environment node
import { expect, it } from 'vitest'
import { hideUrlPasswords } from '../../src/core/secrets/url-passwords.js'

it.each([
  'https://user:%24hunter2@host.example/',
  'https://user:%20hunter2@host.example/',
  'https://user:%26hunter2@host.example/',
  'https://user:%2Fhunter2@host.example/',
  'https://user:&hunter2@host.example/',
  'https://user:80&hunter2@host.example/',
  'https://us"er:hunter2@host.example/',
  'https://us[er:hunter2@host.example/',
  'https://us%2Fer:hunter2@host.example/',
  'https://user:hunter2%2F@hunter2@host.example/',
  'HTTPS://user:"hunter2@host.example/',
  'ftp:user:hunter2@host.example',
  'wss:user:hunter2@host.example',
])('an address as the browser reads it has no password left: %s', (text) => {
  const hidden = hideUrlPasswords(text)
  expect(hidden).not.toContain('hunter2')
  expect(hidden).toContain('•••@host.example')
})

it.each([
  'https://host.example/',
  'https://user@host.example/',
  'mailto:ann@host.example',
  'ann@host.example: hello',
  'a:b@c',
])('leaves %s as it is', (text) => expect(hideUrlPasswords(text)).toBe(text))

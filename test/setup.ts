import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

// jsdom has HTMLDialogElement without showModal()/close() and no top layer; the shape is enough for what runs here.
// Tests that ask for the node environment have no elements at all.
const proto: Partial<HTMLDialogElement> = globalThis.HTMLDialogElement?.prototype ?? {}
proto.showModal ??= function showModal(this: HTMLDialogElement) {
  if (this.open) throw new DOMException('already open', 'InvalidStateError')
  this.open = true
}
proto.close ??= function close(this: HTMLDialogElement, value?: string) {
  if (!this.open) return
  this.open = false
  if (value !== undefined) this.returnValue = value
  queueMicrotask(() => this.dispatchEvent(new Event('close')))
}

afterEach(cleanup)

import { expect } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { CaseInput } from '../components/form/schema-cases.js'

/** What no control can hold, and is therefore asked of the coercion itself. */
export const notInAControl = (name: string, { value, tz }: CaseInput): string | undefined => {
  if (tz) return `${name}: the time zone of a browser cannot be set from a page`
  if (Object.values(value).some((text) => /\n/.test(String(text)))) return `${name}: a one-line box has no line breaks`
  return undefined
}

export const wrapperOf = (name: string): Element => {
  const found = [...document.querySelectorAll('[data-field]')].find(
    (element) => element.getAttribute('data-field') === name,
  )
  if (!found) throw new Error(`no field ${JSON.stringify(name)}`)
  return found
}
export const controlOf = (name: string): HTMLElement => {
  const found = wrapperOf(name).querySelector<HTMLElement>('[data-slot=control]')
  if (!found) throw new Error(`no control in ${JSON.stringify(name)}`)
  return found
}

async function setBox(box: HTMLInputElement, wanted: boolean): Promise<void> {
  const isUnset = box.closest('[data-field]')?.querySelector('[data-slot=unset]')
  if (box.checked !== wanted || isUnset) await userEvent.click(box)
  if (box.checked !== wanted) await userEvent.click(box)
}

// Options of two types may have the same `value`; they stand in the order of the schema.
const optionOf = (select: HTMLSelectElement, value: unknown): HTMLOptionElement | undefined => {
  const same = [...select.options].filter((option) => !option.disabled && option.value === String(value))
  return same[typeof value === 'string' ? 0 : same.length - 1]
}

/** Gives a field what a case says its control holds. */
export async function fill(name: string, value: unknown): Promise<void> {
  const control = controlOf(name)
  if (Array.isArray(value)) {
    for (const box of wrapperOf(name).querySelectorAll('input')) await setBox(box, value.includes(box.value))
  } else if (control instanceof HTMLSelectElement) {
    const option = optionOf(control, value)
    if (option) await userEvent.selectOptions(control, option)
    else expect([name, value, control.selectedIndex]).toEqual([name, null, 0])
  } else if (typeof value === 'boolean') await setBox(control as HTMLInputElement, value)
  else await userEvent.fill(control, String(value))
}

/** The names of the fields that are marked as wrong. */
export const shownErrors = (): string[] =>
  [...document.querySelectorAll('[data-field]')]
    .filter((wrapper) => wrapper.querySelector('[aria-invalid=true]'))
    .map((wrapper) => wrapper.getAttribute('data-field') ?? '')

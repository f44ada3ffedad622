export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const KEY = 'assent-demo-theme'

const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value)

/** The theme chosen on this device. Storage may be blocked: then the choice lasts as long as the page. */
export function storedTheme(): Theme {
  try {
    const value = localStorage.getItem(KEY)
    return isTheme(value) ? value : 'system'
  } catch {
    return 'system'
  }
}

/** Sets `data-theme`, from which demo.css takes `color-scheme`; the kit's styles follow that. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Nothing is lost but the memory of it.
  }
}

import { type ReactNode, useState } from 'react'
import { applyTheme, storedTheme, type Theme, themes } from './theme.js'

const words: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' }

export function ThemeSwitch(): ReactNode {
  const [theme, setTheme] = useState(storedTheme)
  const choose = (next: Theme): void => {
    applyTheme(next)
    setTheme(next)
  }
  return (
    <fieldset className="theme-switch">
      <legend>Theme</legend>
      {themes.map((name) => (
        <label key={name}>
          <input type="radio" name="theme" value={name} checked={theme === name} onChange={() => choose(name)} />
          <span className="segment">{words[name]}</span>
        </label>
      ))}
    </fieldset>
  )
}

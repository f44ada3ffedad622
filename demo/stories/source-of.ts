const sources = import.meta.glob<string>('./*.tsx', { query: '?raw', import: 'default', eager: true })

/** A story's code as it runs, without what only the gallery needs. */
export function sourceOf(file: string): string {
  const source = sources[`./${file}`] ?? ''
  return source.replace(/^import type \{ StoryMeta \}.*\n/m, '').replace(/^export const meta\b.*?^}\n\n/ms, '')
}

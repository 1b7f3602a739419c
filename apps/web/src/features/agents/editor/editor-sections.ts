/** The sections of the editor that are always open, in order; they come first. */
export const OPEN_SECTIONS = ['instructions', 'model', 'identity'] as const

/** The foldable sections, in order. */
export const EDITOR_SECTIONS = [
  'tools',
  'knowledge',
  'skills',
  'memory',
  'guardrails',
  'answer',
  'limits',
  'privacy',
  'advanced',
] as const
export type EditorSectionId = (typeof EDITOR_SECTIONS)[number]

/** Path prefixes of each section's settings; the longest prefix decides. */
const BEGINNINGS: readonly (readonly [string, EditorSectionId | null])[] = [
  ['instructions', null],
  ['prompt', null],
  ['model', null],
  ['tools', 'tools'],
  ['knowledge', 'knowledge'],
  ['skills', 'skills'],
  ['memory', 'memory'],
  ['guardrails', 'guardrails'],
  ['execution.output', 'answer'],
  ['execution', 'limits'],
  ['privacy', 'privacy'],
  ['expose', 'privacy'],
  ['metadata', 'privacy'],
]

/** The section that must be open to show a setting; null: it is always shown. */
export function sectionOf(path: string): EditorSectionId | null {
  if (path === 'name' || path === 'description') return null
  const found = BEGINNINGS.find(([start]) => path === start || path.startsWith(`${start}.`))
  return found ? found[1] : 'advanced'
}

/** The section of a setting. */
export function placeOfSetting(path: string): EditorSectionId | (typeof OPEN_SECTIONS)[number] {
  const folded = sectionOf(path)
  if (folded !== null) return folded
  const [start] = path.split('.')
  return start === 'name' || start === 'description'
    ? 'identity'
    : start === 'model'
      ? 'model'
      : 'instructions'
}

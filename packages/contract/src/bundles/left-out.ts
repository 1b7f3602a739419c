import { shortened } from '../errors/field-path.ts'
import { withoutHidden } from '../schema/one-line.ts'

/** The prefix of the line in a bundle's head that lists the omitted contents. */
const LEFT_OUT = 'Contents left out: '
const LINE = new RegExp(`^# ?${LEFT_OUT}(.*)$`, 'm')
/** The head is at the beginning of a bundle. */
const MAX_HEAD = 8_000
const MAX_NAMED = 20
const MAX_NAME = 100

/** The line of a bundle's head about omitted contents; null if there are none. */
export function leftOutLine(names: readonly string[]): string | null {
  if (names.length === 0) return null
  const shown = names.slice(0, MAX_NAMED).map((name) => shortened(withoutHidden(name), MAX_NAME))
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : ''
  return `${LEFT_OUT}${shown.join(', ')}${more}`
}

/** The contents that an exported bundle lists as omitted, in words; null if there are none. */
export function leftOutOfBundle(yaml: string): string | null {
  return LINE.exec(yaml.slice(0, MAX_HEAD))?.[1] ?? null
}

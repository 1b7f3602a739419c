import { isKeptByDouble } from '@troupe/contract'

/** The type of a value that is typed as a text, unless it is a token. */
export type LiteralType = 'number' | 'boolean'

const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** The value of an entered text: a number or boolean if it is one, else the text itself; null for none. */
export function literalOf(type: LiteralType, text: string): string | number | boolean | null {
  const typed = text.trim()
  if (typed === '') return null
  if (type === 'boolean') return typed === 'true' || typed === 'false' ? typed === 'true' : text
  return DECIMAL.test(typed) && isKeptByDouble(typed) ? Number(typed) : text
}

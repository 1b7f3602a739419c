import { shortened } from '@troupe/contract'
import type { SourceFormat } from './report.ts'

const MAX_SHOWN = 160

/**
 * A token that no run can resolve, in place of a part without a counterpart: the editor marks its field, and a run fails there and names
 * it, instead of continuing with a wrong value.
 */
export function marker(format: SourceFormat, words: string): string {
  const plain = words.replaceAll('{', '(').replaceAll('}', ')').replaceAll(/\s+/g, ' ').trim()
  return `{{ ${format}: ${shortened(plain, MAX_SHOWN)} }}`
}

/** Escapes braces, so that the text is literal. */
export function literalText(text: string): string {
  return text.replaceAll('{{', '\\{{')
}

/** Whether tokens can name a key. */
export function isKey(key: string): boolean {
  return key !== '' && key === key.trim() && !/[.{}]/.test(key) && key !== '__proto__'
}

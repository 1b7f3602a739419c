import { PASSED, type RuleCheck } from './finding.ts'

/** Characters, counted as Unicode code points. */
function lengthOf(text: string): number {
  let length = text.length
  for (let at = 0; at + 1 < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const next = text.charCodeAt(at + 1)
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) length -= 1
  }
  return length
}

/** A text that is too long. */
export const checkMaxLength: RuleCheck<'max_length'> = ({ max_chars }, text) => {
  const length = lengthOf(text)
  if (length <= max_chars) return PASSED
  return { broken: true, reason: `It has ${length} characters, more than ${max_chars}.`, redacted: null }
}

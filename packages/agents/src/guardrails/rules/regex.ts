import { compilePattern } from '@troupe/json-schema'
import { PASSED, REDACTION, type RuleCheck } from './finding.ts'

/** A pattern in RE2 syntax. Rejects with PatternTooCostly for a text that would take too long. */
export const checkRegex: RuleCheck<'regex'> = ({ pattern, action }, text) => {
  const compiled = compilePattern(pattern)
  if (!compiled.ok) throw new Error(`The pattern ${compiled.message}.`)
  if (!compiled.find(text)) return PASSED
  const redacted = action === 'redact' ? compiled.replaceAll(text, REDACTION) : null
  return { broken: true, reason: 'It matches the pattern.', redacted }
}

import { PASSED, type RuleCheck } from '../rules/finding.ts'
import { withoutSpans } from '../rules/spans.ts'
import { findPii } from './find-pii.ts'

/** Personal data; the reason counts it by kind without quoting it. */
export const checkPii: RuleCheck<'pii'> = ({ entities }, text) => {
  const found = findPii(text, entities)
  if (found.length === 0) return PASSED
  const counts = Map.groupBy(found, ({ entity }) => entity)
  const reason = [...counts].map(([entity, { length }]) => `${length} ${entity}`).join(', ')
  return { broken: true, reason: `Found ${reason}.`, redacted: withoutSpans(text, found) }
}

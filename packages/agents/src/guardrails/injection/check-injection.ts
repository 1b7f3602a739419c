import { PASSED, type RuleCheck } from '../rules/finding.ts'
import { injectionScore } from './injection-score.ts'

const THRESHOLD = 0.5

/** A text that looks like an attempt to override the model's instructions. */
export const checkInjection: RuleCheck<'prompt_injection'> = ({ threshold = THRESHOLD }, text) => {
  const score = injectionScore(text)
  if (score < threshold) return PASSED
  const shown = score.toFixed(2)
  return { broken: true, reason: `Its score ${shown} reaches the threshold ${threshold}.`, redacted: null }
}

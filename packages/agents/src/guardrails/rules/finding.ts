import type { GuardrailConfig, GuardrailType } from '@troupe/contract'
import type { GuardrailSubject } from '../../ports/index.ts'

/** The finding of one rule about a text. */
export type Finding =
  | { broken: false }
  /** `redacted`: the text without the matches of the rule; null when the rule does not match parts of a text. */
  | { broken: true; reason: string; redacted: string | null }

export const PASSED: Finding = { broken: false }

/** The configuration of one type of rule. */
export type RuleOf<T extends GuardrailType> = Extract<GuardrailConfig, { type: T }>

/** Checks a text against one rule. Rejects when the rule cannot be checked. */
export type RuleCheck<T extends GuardrailType> = (
  rule: RuleOf<T>,
  text: string,
  subject: GuardrailSubject,
) => Promise<Finding> | Finding

/** The replacement of redacted text. */
export const REDACTION = '[redacted]'

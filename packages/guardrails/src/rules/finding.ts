import type { GuardrailSubject } from '@troupe/agents/ports'
import type { GuardrailConfig, GuardrailType } from '@troupe/contract'

/** What one rule says about a text. */
export type Finding =
  | { broken: false }
  /** `redacted`: the text without what the rule found; null when the rule finds no part of a text. */
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

/** What takes the place of text that a rule finds. */
export const REDACTION = '[redacted]'

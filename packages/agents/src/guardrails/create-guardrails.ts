import type { GuardrailConfig, GuardrailFlag, GuardrailType } from '@troupe/contract'
import type { GuardrailSubject, Guardrails, GuardrailVerdict } from '../ports/index.ts'
import { checkInjection } from './injection/check-injection.ts'
import { type ModerationParts, moderation } from './moderation/check-moderation.ts'
import { checkPii } from './pii/check-pii.ts'
import type { Finding, RuleCheck } from './rules/finding.ts'
import { checkLlmRule } from './rules/llm-rule.ts'
import { checkMaxLength } from './rules/max-length.ts'
import { checkRegex } from './rules/regex.ts'
import { UncheckedRule } from './rules/unchecked-rule.ts'
import { type WebhookRuleParts, webhook } from './webhook/check-webhook.ts'

/** The dependencies of the rules. */
export interface GuardrailParts extends ModerationParts, WebhookRuleParts {
  /** Called when a rule could not be checked. The error may quote a provider, so it is for the log only. */
  onError(type: GuardrailType, error: unknown): void
}

type Checks = { [T in GuardrailType]: RuleCheck<T> }

const BLOCKED = 'This request cannot be answered.'
/** Rules that are checked in the process. They run first, so that the others see the redacted text. */
const LOCAL: ReadonlySet<GuardrailType> = new Set(['pii', 'regex', 'max_length', 'prompt_injection'])

/** The effect of a rule on a text. */
interface Effect {
  text: string
  blocked: string | null
  flag: GuardrailFlag | null
}

function effectOf(
  rule: GuardrailConfig,
  finding: Finding,
  text: string,
  stage: GuardrailSubject['stage'],
): Effect {
  if (!finding.broken) return { text, blocked: null, flag: null }
  const { type, action, message = BLOCKED } = rule
  const flag = { stage, type, action, reason: finding.reason }
  if (action === 'block') return { text, blocked: message, flag }
  return { text: action === 'redact' ? (finding.redacted ?? text) : text, blocked: null, flag }
}

/** A rule that cannot be checked blocks, unless configured otherwise. */
function failed(
  { type, message = BLOCKED, on_error = 'block' }: GuardrailConfig,
  text: string,
  stage: GuardrailSubject['stage'],
  error: unknown,
): Effect {
  const why = error instanceof UncheckedRule ? ` ${error.message}` : ''
  const flag = { stage, type, action: on_error, reason: `It could not be checked.${why}` }
  return { text, blocked: on_error === 'block' ? message : null, flag }
}

/** Creates guardrails with every kind of rule. */
export function createGuardrails(parts: GuardrailParts): Guardrails {
  const checks: Checks = {
    pii: checkPii,
    prompt_injection: checkInjection,
    moderation: moderation(parts),
    regex: checkRegex,
    max_length: checkMaxLength,
    llm_rule: checkLlmRule,
    webhook: webhook(parts),
  }
  const check = async (rule: GuardrailConfig, text: string, subject: GuardrailSubject): Promise<Effect> => {
    try {
      const ofType = checks[rule.type] as RuleCheck<GuardrailType>
      return effectOf(rule, await ofType(rule, text, subject), text, subject.stage)
    } catch (error) {
      subject.signal.throwIfAborted()
      parts.onError(rule.type, error)
      return failed(rule, text, subject.stage, error)
    }
  }
  return {
    async check(rules, given, subject): Promise<GuardrailVerdict> {
      const flags: GuardrailFlag[] = []
      let text = given
      // Guardrails that change the text run sequentially, those of this process first.
      const changing = rules.filter(({ type, action }) => LOCAL.has(type) || action === 'redact')
      const ordered = [...changing].sort((a, b) => Number(LOCAL.has(b.type)) - Number(LOCAL.has(a.type)))
      for (const rule of ordered) {
        const effect = await check(rule, text, subject)
        if (effect.flag) flags.push(effect.flag)
        if (effect.blocked !== null) return { text: given, blocked: effect.blocked, flags }
        text = effect.text
      }
      const others = rules.filter((rule) => !changing.includes(rule))
      const effects = await Promise.all(others.map((rule) => check(rule, text, subject)))
      flags.push(...effects.flatMap(({ flag }) => flag ?? []))
      const blocked = effects.find((effect) => effect.blocked !== null)?.blocked ?? null
      return { text: blocked === null ? text : given, blocked, flags }
    },
  }
}

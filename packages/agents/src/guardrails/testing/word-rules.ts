import type { GuardrailConfig } from '@troupe/contract'
import type { GuardrailSubject, Guardrails } from '../../ports/guardrails.ts'

/** A rule in a test's notation: the forbidden word. */
export const noWord = (
  pattern: string,
  more: Partial<GuardrailConfig> & Pick<GuardrailConfig, 'action'> = { action: 'block' },
): GuardrailConfig => ({ type: 'regex', pattern, ...more }) as GuardrailConfig

/** A rule that asks the model. */
export const asksModel = (more: Partial<GuardrailConfig> = {}): GuardrailConfig =>
  ({ type: 'llm_rule', question: 'QUESTION', action: 'block', ...more }) as GuardrailConfig

/** Rules that search for words, and rules that call a model, whose `yes` blocks. `checks` are the checked texts. */
export function wordRules(): Guardrails & { checks: string[] } {
  const checks: string[] = []
  const isBroken = async (rule: GuardrailConfig, text: string, subject: GuardrailSubject) => {
    if (rule.type === 'regex') return text.includes(rule.pattern)
    const question = { llmConfigId: null, modelId: null, instructions: 'QUESTION', text, schema: {} }
    return (await subject.ask(question)) === 'yes'
  }
  return {
    checks,
    async check(rules, given, subject) {
      checks.push(`${subject.stage}: ${given}`)
      let text = given
      let blocked: string | null = null
      const flags = []
      for (const rule of rules) {
        if (!(await isBroken(rule, text, subject))) continue
        flags.push({ stage: subject.stage, type: rule.type, action: rule.action, reason: 'BROKEN' })
        if (rule.action === 'block') blocked ??= rule.message ?? 'NO'
        if (rule.action === 'redact' && rule.type === 'regex')
          text = text.replaceAll(rule.pattern, '[redacted]')
      }
      return { text, blocked, flags }
    },
  }
}

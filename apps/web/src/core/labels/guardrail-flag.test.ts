import type { GuardrailFlag } from '@troupe/contract'
import { expect, test } from 'vitest'
import { blockingStage, guardrailActionLabel, guardrailKindLabel, guardrailReason } from './guardrail-flag.ts'

test('a broken rule is named as in its form', () => {
  expect(guardrailKindLabel('llm_rule')).toBe('LLM judge')
  expect([guardrailActionLabel('redact'), guardrailActionLabel('allow')]).toEqual(['Redact', 'Allow'])
  expect(guardrailReason({ type: 'moderation', reason: 'Found hate, self_harm.' })).toBe(
    'Found: Hate, Self-harm.',
  )
  expect(guardrailReason({ type: 'pii', reason: 'Found 2 email, 1 us_ssn.' })).toBe(
    'Found: E-mail addresses (2), US social security numbers (1).',
  )
})

test('values without a form label, and texts of a web service or a model, are unchanged', () => {
  expect([guardrailKindLabel('later'), guardrailKindLabel('constructor')]).toEqual(['later', 'constructor'])
  expect(guardrailReason({ type: 'webhook', reason: 'Found hate.' })).toBe('Found hate.')
  expect(guardrailReason({ type: 'moderation', reason: 'It could not be checked.' })).toBe(
    'It could not be checked.',
  )
  expect(guardrailReason({ type: 'moderation', reason: 'Found hate, spam.' })).toBe('Found: Hate, spam.')
})

test('a blocking rule names its stage; a flagging one did not stop the run', () => {
  const flag = (stage: GuardrailFlag['stage'], action: GuardrailFlag['action']): GuardrailFlag => ({
    stage,
    action,
    type: 'pii',
    reason: '',
  })
  expect(blockingStage([flag('input', 'flag'), flag('output', 'block')])).toBe('output')
  expect(blockingStage([flag('input', 'redact')])).toBeNull()
})

import { Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'

const rule = Type.Object({
  type: Choice(['pii', 'prompt_injection', 'moderation', 'regex', 'max_length', 'llm_rule', 'webhook']),
  action: Choice(['block', 'redact', 'flag']),
  message: Type.Optional(Type.String({ maxLength: 2_000 })),
  run: Type.Optional(Choice(['blocking', 'parallel'])),
  on_error: Type.Optional(Choice(['block', 'allow'])),
})

/** `config.guardrails`: rules that see the user message and the final text. */
export const GuardrailsConfig = Type.Object({
  input: Type.Optional(Type.Array(rule, { maxItems: 10 })),
  output: Type.Optional(Type.Array(rule, { maxItems: 10 })),
})

import { type Static, Type } from 'typebox'
import { GUARDRAIL_STAGES, GuardrailConfig } from '../../agents/config/guardrails.ts'
import { defineOperation } from '../../operation/operation.ts'
import { GuardrailFlag } from '../../runs/guardrail-flag.ts'
import { Choice } from '../../schema/choice.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

/** Edited rules, and a text to try them on. */
export const TryGuardrailsBody = Type.Object(
  {
    rules: Type.Array(GuardrailConfig, { minItems: 1, maxItems: 10 }),
    stage: Choice(GUARDRAIL_STAGES),
    text: Type.String({ minLength: 1, maxLength: 20_000 }),
  },
  { additionalProperties: false },
)
export type TryGuardrailsBody = Static<typeof TryGuardrailsBody>

/** The effect of the rules on the text. */
export const TriedGuardrails = Type.Object({
  text: Type.String({ description: 'The text after redaction.' }),
  blocked: Nullable(Type.String({ description: 'The message that would replace it.' })),
  flags: Type.Array(GuardrailFlag),
  untried: Type.Array(Type.String(), {
    description: 'Types of rules that call a model or another server; they are not tried.',
  }),
})
export type TriedGuardrails = Static<typeof TriedGuardrails>

export const tryGuardrailsForBuilder = defineOperation({
  id: 'tryGuardrails',
  method: 'POST',
  path: `${ORGANIZATION_PATH}/guardrails/try`,
  tag: 'Agents',
  summary: 'Try rules of guardrails on a text',
  description: 'No model and no other server is called, and nothing is stored.',
  access: 'builder',
  needs: 'build',
  params: Type.Object(organizationParams),
  body: TryGuardrailsBody,
  success: { status: 200, description: 'The effect of the rules.', body: TriedGuardrails },
  errors: ['validation_error'],
})

import { Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { LlmConfigId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'
import { ModelId } from './model-id.ts'

const parameters = {
  llm_config_id: Type.Optional(
    Nullable(Uuid<LlmConfigId>({ description: 'null: the default configuration.' })),
  ),
  model_id: Type.Optional(Nullable(ModelId)),
  temperature: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 2 }))),
  top_p: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1 }))),
  max_output_tokens: Type.Optional(Nullable(Type.Integer({ minimum: 1 }))),
  seed: Type.Optional(Nullable(Type.Integer())),
  stop_sequences: Type.Optional(Nullable(Type.Array(Type.String({ minLength: 1 }), { maxItems: 4 }))),
  reasoning_effort: Type.Optional(Nullable(Choice(['none', 'low', 'medium', 'high']))),
  provider_options: Type.Optional(OpenObject({ maxProperties: 100 })),
}

/** The parameters of a model with the same meaning for every provider that supports them. */
export const MODEL_PARAMETER_NAMES = [
  'temperature',
  'top_p',
  'max_output_tokens',
  'seed',
  'stop_sequences',
  'reasoning_effort',
] as const
export type ModelParameterName = (typeof MODEL_PARAMETER_NAMES)[number]

/** The failures on which a fallback takes over. */
export const FAILOVER_CLASSES = ['error', 'rate_limit', 'timeout', 'context_overflow'] as const

const timeout = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }))

/** `config.model`: the models of the agent, and the failover between them. */
export const ModelConfig = Type.Object({
  primary: Type.Optional(Type.Object(parameters)),
  fallbacks: Type.Optional(
    Type.Array(
      Type.Object({
        ...parameters,
        on: Type.Optional(
          Type.Array(Choice(FAILOVER_CLASSES), {
            minItems: 1,
            maxItems: FAILOVER_CLASSES.length,
            uniqueItems: true,
          }),
        ),
      }),
      { maxItems: 5 },
    ),
  ),
  retry: Type.Optional(
    Type.Object({
      attempts_per_model: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
      first_token_timeout_ms: timeout(600_000),
      idle_timeout_ms: timeout(600_000),
      call_timeout_ms: timeout(3_600_000),
    }),
  ),
  mid_stream: Type.Optional(Choice(['fail', 'restart'])),
})

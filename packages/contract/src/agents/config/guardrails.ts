import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { FieldError } from '../../errors/error-body.ts'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { CredentialId, LlmConfigId } from '../../schema/ids.ts'
import { propertyOf } from '../../schema/json-object.ts'
import { Nullable } from '../../schema/nullable.ts'
import { type Validate, validator } from '../../validation/validator.ts'
import { ModelId } from './model-id.ts'

/** The entities that the rule `pii` detects. */
export const PII_ENTITIES = ['email', 'phone', 'card', 'iban', 'ip_address', 'us_ssn', 'de_tax_id'] as const
export type PiiEntity = (typeof PII_ENTITIES)[number]

/** The categories of the rule `moderation`. */
export const MODERATION_CATEGORIES = [
  'harassment',
  'hate',
  'illicit',
  'self_harm',
  'sexual',
  'violence',
] as const
export type ModerationCategory = (typeof MODERATION_CATEGORIES)[number]

/** Maximum entities or categories of a rule; there are fewer, but one may be listed twice. */
const MAX_CHOICES = 20
/** Maximum rules of a stage. */
const MAX_RULES = 10

const common = {
  action: Choice(['block', 'redact', 'flag']),
  message: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
  run: Type.Optional(Choice(['blocking', 'parallel'])),
  on_error: Type.Optional(Choice(['block', 'allow'])),
}
const asked = {
  llm_config_id: Type.Optional(Nullable(Uuid<LlmConfigId>())),
  model_id: Type.Optional(Nullable(ModelId)),
}

/** A rule is a closed object: an unknown key is a failure, so that a misspelt option never goes unnoticed. */
const rule = <const N extends string, T extends TProperties>(type: N, own: T) =>
  Type.Object({ type: Type.Literal(type), ...common, ...own }, { additionalProperties: false })

/** The schema of one rule by its `type`. */
export const GUARDRAIL_SCHEMAS = {
  pii: rule('pii', {
    entities: Type.Optional(Type.Array(Choice(PII_ENTITIES), { minItems: 1, maxItems: MAX_CHOICES })),
  }),
  prompt_injection: rule('prompt_injection', {
    threshold: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
  }),
  moderation: rule('moderation', {
    ...asked,
    categories: Type.Optional(
      Type.Array(Choice(MODERATION_CATEGORIES), { minItems: 1, maxItems: MAX_CHOICES }),
    ),
  }),
  regex: rule('regex', { pattern: Type.String({ minLength: 1, maxLength: 2_000 }) }),
  max_length: rule('max_length', { max_chars: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }),
  llm_rule: rule('llm_rule', { ...asked, question: Type.String({ minLength: 1, maxLength: 4_000 }) }),
  webhook: rule('webhook', {
    url: Type.String({
      maxLength: 4_096,
      pattern: '^https?://',
      patternMessage: 'must start with http:// or https://',
    }),
    credential_id: Type.Optional(Nullable(Uuid<CredentialId>())),
  }),
} as const

/** The kinds of rule. */
export type GuardrailType = keyof typeof GUARDRAIL_SCHEMAS

/** An item of `config.guardrails.input[]` or `output[]`: one of the kinds. */
export const GuardrailConfig = Type.Union([
  GUARDRAIL_SCHEMAS.pii,
  GUARDRAIL_SCHEMAS.prompt_injection,
  GUARDRAIL_SCHEMAS.moderation,
  GUARDRAIL_SCHEMAS.regex,
  GUARDRAIL_SCHEMAS.max_length,
  GUARDRAIL_SCHEMAS.llm_rule,
  GUARDRAIL_SCHEMAS.webhook,
])
export type GuardrailConfig = Static<typeof GuardrailConfig>

const stages = <T extends TSchema>(item: T) =>
  Type.Object({
    input: Type.Optional(Type.Array(item, { maxItems: MAX_RULES })),
    output: Type.Optional(Type.Array(item, { maxItems: MAX_RULES })),
  })

/** `config.guardrails`: rules for the user message and the final text. */
export const GuardrailsConfig = stages(GuardrailConfig)

/** The same with rules of any shape, which {@link guardrailErrors} checks by their type. */
export const UncheckedGuardrails = stages(Type.Unknown())

/** The text that a rule checks. */
export const GUARDRAIL_STAGES = ['input', 'output'] as const
export type GuardrailStage = (typeof GUARDRAIL_STAGES)[number]

const validators = new Map<string, Validate<unknown>>(
  Object.entries(GUARDRAIL_SCHEMAS).map(([type, schema]) => [type, validator<TSchema>(schema)]),
)

/** The rules that find parts of a text, which they can redact; the other rules assess the text as a whole. */
export const REDACTING_GUARDRAILS: ReadonlySet<string> = new Set<GuardrailType>(['pii', 'regex', 'webhook'])

/** Faults that the rule's own schema cannot express; null if there are none. */
function contradiction(item: unknown, stage: GuardrailStage): { key: string; message: string } | null {
  if (propertyOf(item, 'action') !== 'redact') return null
  const type = propertyOf(item, 'type')
  if (typeof type === 'string' && !REDACTING_GUARDRAILS.has(type)) {
    return { key: 'action', message: `must be block or flag: ${type} finds no part of a text to redact` }
  }
  if (stage === 'input' && propertyOf(item, 'run') === 'parallel') {
    return { key: 'run', message: 'must be blocking: a model beside the rule would see the text' }
  }
  return null
}

function errorsOf(item: unknown, stage: GuardrailStage, path: string): FieldError[] {
  const type = propertyOf(item, 'type')
  const check = typeof type === 'string' ? validators.get(type) : undefined
  if (!check)
    return [{ path: `${path}.type`, message: `must be one of: ${[...validators.keys()].join(', ')}` }]
  const checked = check(item, path)
  if (!checked.ok) return checked.errors
  const found = contradiction(item, stage)
  return found ? [{ path: `${path}.${found.key}`, message: found.message }] : []
}

/** Every failure of the rules in a `guardrails` value, with paths below `config.guardrails`. */
export function guardrailErrors(guardrails: unknown): FieldError[] {
  return GUARDRAIL_STAGES.flatMap((stage) => {
    const items = propertyOf(guardrails, stage)
    if (!Array.isArray(items)) return []
    return items
      .slice(0, MAX_RULES)
      .flatMap((item: unknown, index) => errorsOf(item, stage, `config.guardrails.${stage}.${index}`))
  })
}

import { type Static, Type } from 'typebox'
import { MODEL_PARAMETER_NAMES } from '../../agents/config/model.ts'
import { Slug } from '../../bundles/bundle-fields.ts'
import { BundleLlmConfiguration, BundleModel } from '../../bundles/connection-entries.ts'
import { MODEL_KINDS } from '../../models/model-kind.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { LlmConfigId, ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'
import { Page } from '../../schema/page.ts'
import { StoredName } from '../../schema/shown-name.ts'
import { baseVersion, SettingName } from '../organization/organization.ts'

const { providerId, baseUrl, models } = BundleLlmConfiguration.properties
const status = Choice(['connected', 'disconnected'])
const closed = { additionalProperties: false }

/** A user of a resource. */
const UseOfConfiguration = Type.Object({
  kind: Choice(['agent', 'team', 'workflow', 'knowledge_base', 'mcp_server']),
  id: Uuid<LlmConfigId>(),
  name: Type.String(),
})
export type UseOfConfiguration = Static<typeof UseOfConfiguration>

/** The state of a configuration's secret, without the secret. */
const CredentialState = Type.Object({
  name: Type.String(),
  isSet: Type.Boolean(),
  hint: Type.String({
    description: 'The last characters; empty for a short secret, or one that no key opens.',
  }),
  setAt: Nullable(IsoTimestamp()),
})
export type CredentialState = Static<typeof CredentialState>

/** An LLM configuration without its secrets. */
export const LlmConfiguration = Type.Object({
  llmConfigId: Uuid<LlmConfigId>(),
  slug: Type.String(),
  name: Type.String(),
  projectId: Nullable(Uuid<ProjectId>()),
  projectName: Nullable(Type.String()),
  providerId,
  status,
  default: Type.Boolean(),
  baseUrl: Nullable(Type.String()),
  settings: OpenObject({
    description:
      'The values of additional headers are null: they may be secret. If sent back as null, they are kept.',
  }),
  models: Type.Array(BundleModel),
  allowUnlistedModels: Type.Boolean(),
  unusedParameters: Type.Array(Choice(MODEL_PARAMETER_NAMES), {
    description: 'The parameters of models that its provider has no field for; they are not sent.',
  }),
  credentialFields: Type.Array(CredentialState),
  usedBy: Type.Array(UseOfConfiguration, { description: 'At most 100, by kind and name.' }),
  version: Type.Integer({ description: 'Increases with every change.' }),
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
})
export type LlmConfiguration = Static<typeof LlmConfiguration>
export const LlmConfigurationPage = Page(LlmConfiguration)

const credentials = Type.Optional(
  Type.Unsafe<Record<string, string | null>>({
    type: 'object',
    maxProperties: 100,
    additionalProperties: { type: ['string', 'null'], maxLength: 16_384 },
    description: 'Write-only. An absent field keeps the stored value, null removes it.',
  }),
)
const changeable = {
  name: SettingName,
  slug: Slug,
  projectId: Type.Optional(Nullable(Uuid<ProjectId>())),
  providerId,
  status: Type.Optional(status),
  default: Type.Optional(
    Type.Boolean({
      description: 'The previous default of the same project, or of the organization, is replaced.',
    }),
  ),
  baseUrl,
  settings: Type.Optional(OpenObject({ maxProperties: 100 })),
  models,
  allowUnlistedModels: Type.Optional(Type.Boolean()),
  credentials,
}

export const CreateLlmConfigurationBody = Type.Object(
  { id: Type.Optional(Uuid<LlmConfigId>()), ...changeable },
  {
    ...closed,
    examples: [
      {
        slug: 'main',
        name: 'Main',
        providerId: 'openai',
        credentials: { apiKey: 'sk-…' },
        models: [{ modelId: 'gpt-5-mini' }],
      },
    ],
  },
)
export type CreateLlmConfigurationBody = Static<typeof CreateLlmConfigurationBody>

export const UpdateLlmConfigurationBody = Type.Object(
  {
    ...Type.Partial(Type.Object({ ...changeable, name: StoredName })).properties,
    version: baseVersion,
  },
  closed,
)
export type UpdateLlmConfigurationBody = Static<typeof UpdateLlmConfigurationBody>

const connection = {
  llmConfigId: Type.Optional(
    Uuid<LlmConfigId>({ description: 'A stored configuration; the other fields replace its own.' }),
  ),
  providerId: Type.Optional(providerId),
  baseUrl,
  settings: Type.Optional(OpenObject({ maxProperties: 100 })),
  credentials,
}

/** A connection, stored or not. */
export const ConnectionBody = Type.Object(connection, closed)
export type ConnectionBody = Static<typeof ConnectionBody>

export const TestLlmConfigurationBody = Type.Object(
  {
    ...connection,
    modelId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The first stored model when absent.' }),
    ),
  },
  closed,
)
export type TestLlmConfigurationBody = Static<typeof TestLlmConfigurationBody>

/** The outcome of a test call. */
export const ConnectionTest = Type.Object({
  ok: Type.Boolean(),
  firstTokenMs: Nullable(Type.Integer()),
  latencyMs: Type.Integer(),
  reply: Nullable(Type.String({ description: "The model's answer, at most 1,000 tokens." })),
  error: Nullable(
    Type.Object({
      code: Type.String({ description: '`http_401`, `network`, `timeout`, …' }),
      message: Type.String({ description: 'What happened, without secrets.' }),
      providerMessage: Nullable(
        Type.String({ description: "The provider's message, without secrets, at most 400 bytes." }),
      ),
      fix: Type.String({ description: 'The remedy.' }),
      field: Nullable(
        Type.String({ description: 'The field to check: `credentials.apiKey`, `baseUrl`, `modelId`.' }),
      ),
    }),
  ),
})
export type ConnectionTest = Static<typeof ConnectionTest>

/** A model as its provider lists it. */
export const ProviderModel = Type.Object({
  modelId: Type.String(),
  displayName: Nullable(Type.String()),
  contextLength: Nullable(Type.Integer()),
  maxOutputTokens: Nullable(Type.Integer()),
  kind: Choice(MODEL_KINDS, { description: 'Its name at the provider, otherwise its id.' }),
})
export type ProviderModel = Static<typeof ProviderModel>

const ConnectionFieldOfProvider = Type.Object({
  name: Type.String(),
  label: Type.String(),
  required: Type.Boolean(),
  requiredWithoutBaseUrl: Type.Boolean({ description: 'Required without a base URL.' }),
  kind: Choice(['string', 'boolean', 'headers', 'choice', 'integer']),
  range: Nullable(
    Type.Array(Type.Integer(), { description: 'The least and the greatest value of an `integer`.' }),
  ),
  choices: Nullable(Type.Array(Type.String())),
  pattern: Nullable(Type.String({ description: 'A regular expression for the whole value.' })),
  hint: Nullable(Type.String({ description: 'The pattern in words.' })),
})

/** The fields of a connection to a provider. */
export const ProviderForm = Type.Object({
  providerId,
  label: Type.String(),
  summary: Type.String({ description: 'What the provider offers, in one line.' }),
  baseUrl: Choice(['required', 'optional', 'none']),
  listsModels: Type.Boolean({ description: 'Whether its models can be discovered.' }),
  credentials: Type.Array(ConnectionFieldOfProvider, { description: 'Secrets.' }),
  settings: Type.Array(ConnectionFieldOfProvider),
})
export type ProviderForm = Static<typeof ProviderForm>

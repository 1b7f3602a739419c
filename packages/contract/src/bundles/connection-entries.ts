import { type Static, Type } from 'typebox'
import { ModelId } from '../agents/config/model-id.ts'
import { CREDENTIAL_KINDS, CredentialField, CredentialHost } from '../credentials/credential.ts'
import { MODEL_KINDS } from '../models/model-kind.ts'
import { Choice } from '../schema/choice.ts'
import { Nullable } from '../schema/nullable.ts'
import { OpenObject, StringMap } from '../schema/objects.ts'
import { PROVIDER_IDS } from '../schema/providers.ts'
import { closed, id, project, reference, Slug, title } from './bundle-fields.ts'

export const BundleModel = Type.Object(
  {
    modelId: ModelId,
    displayName: Type.Optional(title),
    contextLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    inputUsdPerMillion: Type.Optional(Type.Number({ minimum: 0 })),
    cachedInputUsdPerMillion: Type.Optional(Type.Number({ minimum: 0 })),
    cacheWriteUsdPerMillion: Type.Optional(
      Type.Number({ minimum: 0, description: 'A quarter more than `inputUsdPerMillion` when absent.' }),
    ),
    outputUsdPerMillion: Type.Optional(Type.Number({ minimum: 0 })),
    toolChoice: Type.Optional(Type.Boolean()),
    kind: Type.Optional(
      Choice(MODEL_KINDS, {
        description: 'Its purpose; if absent, by its id. Only chat models are the default.',
      }),
    ),
  },
  closed,
)

export const BundleLlmConfiguration = Type.Object(
  {
    slug: Slug,
    name: title,
    id,
    project,
    providerId: Choice(PROVIDER_IDS),
    status: Type.Optional(Choice(['connected', 'disconnected'])),
    default: Type.Optional(Type.Boolean()),
    baseUrl: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2_048 }))),
    credentials: Type.Optional(StringMap({ maxProperties: 100 })),
    settings: Type.Optional(OpenObject({ maxProperties: 100 })),
    models: Type.Array(BundleModel, { minItems: 1, maxItems: 200 }),
    allowUnlistedModels: Type.Optional(
      Type.Boolean({ description: 'Whether agents may name models that `models` does not list.' }),
    ),
  },
  closed,
)

/** A credential of tools. Its secret is write-only: if absent, the stored one is kept. */
export const BundleCredential = Type.Object(
  {
    slug: Slug,
    name: title,
    id,
    project,
    kind: Choice(CREDENTIAL_KINDS),
    /** Only for `basic`. */
    username: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    /** Only for `header` and `query`. */
    field: Type.Optional(CredentialField),
    secret: Type.Optional(Type.String({ minLength: 1, maxLength: 8_192 })),
    hosts: Type.Array(CredentialHost, { minItems: 1, maxItems: 50 }),
  },
  closed,
)

/** An MCP server that the tools of agents may name. */
export const BundleMcpServer = Type.Object(
  {
    slug: Slug,
    name: title,
    id,
    project,
    url: Type.String({
      maxLength: 4_096,
      pattern: '^https?://[^/?#@\\s\\\\][^@\\s\\\\]*$',
      patternMessage: 'must be an http or https URL without a user name',
    }),
    /** Slug or id; sent with every request. */
    credential: Type.Optional(Nullable(reference)),
  },
  closed,
)

export type BundleModel = Static<typeof BundleModel>
export type BundleLlmConfiguration = Static<typeof BundleLlmConfiguration>
export type BundleCredential = Static<typeof BundleCredential>
export type BundleMcpServer = Static<typeof BundleMcpServer>

import { type Static, Type } from 'typebox'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { ApiKeyId, ProjectId, UserId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { Page } from '../../schema/page.ts'
import { StoredName } from '../../schema/shown-name.ts'
import { SettingName } from '../organization/organization.ts'

const rpm = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

/** An API key without its secret. */
export const ApiKey = Type.Object({
  apiKeyId: Uuid<ApiKeyId>(),
  name: Type.String(),
  hint: Type.String({
    description: 'The last characters of the secret; empty for keys that are older than hints.',
  }),
  projectId: Nullable(Uuid<ProjectId>({ description: 'null: for the whole organization.' })),
  projectName: Nullable(Type.String()),
  rpm: Nullable(
    Type.Integer({ description: 'Requests per minute; null: only the limit of the organization.' }),
  ),
  expiresAt: Nullable(IsoTimestamp()),
  revokedAt: Nullable(IsoTimestamp()),
  lastUsedAt: Nullable(IsoTimestamp({ description: 'At most a minute late.' })),
  createdBy: Nullable(
    Type.Object(
      { userId: Uuid<UserId>(), name: Nullable(Type.String()) },
      { description: 'null: the operator, or a bundle.' },
    ),
  ),
  replacesId: Nullable(Uuid<ApiKeyId>({ description: 'The key that this one was made to replace.' })),
  createdAt: IsoTimestamp(),
})
export type ApiKey = Static<typeof ApiKey>
export const ApiKeyPage = Page(ApiKey)

const expiresAt = Type.Optional(Nullable(IsoTimestamp({ description: 'null: never.' })))
const closed = { additionalProperties: false }

export const CreateApiKeyBody = Type.Object(
  {
    id: Type.Optional(Uuid<ApiKeyId>()),
    name: SettingName,
    projectId: Type.Optional(Nullable(Uuid<ProjectId>())),
    rpm: Type.Optional(Nullable(rpm)),
    expiresAt,
  },
  { ...closed, examples: [{ name: 'CI' }] },
)
export type CreateApiKeyBody = Static<typeof CreateApiKeyBody>

export const UpdateApiKeyBody = Type.Object(
  { name: Type.Optional(StoredName), rpm: Type.Optional(Nullable(rpm)), expiresAt },
  closed,
)
export type UpdateApiKeyBody = Static<typeof UpdateApiKeyBody>

export const RotateApiKeyBody = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'Hours for which the old key remains valid; 0 ends it immediately.',
      }),
    ),
    expiresAt: Type.Optional(
      Nullable(
        IsoTimestamp({
          description:
            'When the new key ends; null: never. If omitted: it gets the same lifetime as the old key, from its creation to its end, starting now.',
        }),
      ),
    ),
  },
  closed,
)
export type RotateApiKeyBody = Static<typeof RotateApiKeyBody>

/** A key with its secret. */
export const NewApiKey = Type.Object({
  apiKey: ApiKey,
  secret: Nullable(
    Type.String({ description: 'Shown only here; null in the answer to a repeated request.' }),
  ),
})
export type NewApiKey = Static<typeof NewApiKey>

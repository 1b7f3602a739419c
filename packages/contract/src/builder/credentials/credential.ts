import { type Static, Type } from 'typebox'
import { Slug } from '../../bundles/bundle-fields.ts'
import { CREDENTIAL_KINDS, CredentialField, CredentialHost } from '../../credentials/credential.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { CredentialId, ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { Page } from '../../schema/page.ts'
import { StoredName } from '../../schema/shown-name.ts'
import { baseVersion, SettingName } from '../organization/organization.ts'

const closed = { additionalProperties: false }
const kind = Choice(CREDENTIAL_KINDS, {
  description:
    'How it is sent: `Authorization: Bearer`, `Authorization: Basic`, in a header, or in the query.',
})

/** A user of a credential or an MCP server. */
export const UseOfConnection = Type.Object({
  kind: Choice(['agent', 'team', 'workflow', 'mcp_server', 'voice_configuration']),
  id: Uuid<CredentialId>(),
  name: Type.String(),
})
export type UseOfConnection = Static<typeof UseOfConnection>

/** A credential of tools, without its secret. */
export const Credential = Type.Object({
  credentialId: Uuid<CredentialId>(),
  slug: Type.String(),
  name: Type.String(),
  projectId: Nullable(Uuid<ProjectId>({ description: 'null: agents of every project may use it.' })),
  projectName: Nullable(Type.String()),
  kind,
  username: Nullable(Type.String({ description: 'Of `basic`.' })),
  field: Nullable(Type.String({ description: 'The header or the query parameter of `header` and `query`.' })),
  hosts: Type.Array(Type.String(), { description: 'It is sent to these hosts only.' }),
  hint: Type.String({
    description: 'The last characters of the secret; empty for a short one, or one that no key opens.',
  }),
  secretSetAt: IsoTimestamp(),
  usedBy: Type.Array(UseOfConnection, { description: 'At most 100, by kind and name.' }),
  version: Type.Integer({ description: 'Increases with every change.' }),
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
})
export type Credential = Static<typeof Credential>
export const CredentialPage = Page(Credential)

const changeable = {
  name: SettingName,
  slug: Slug,
  projectId: Type.Optional(Nullable(Uuid<ProjectId>())),
  kind,
  username: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 256 }))),
  field: Type.Optional(Nullable(CredentialField)),
  hosts: Type.Array(CredentialHost, { minItems: 1, maxItems: 50 }),
}
const secret = Type.String({ minLength: 1, maxLength: 8_192, description: 'Write-only.' })

export const CreateCredentialBody = Type.Object(
  { id: Type.Optional(Uuid<CredentialId>()), ...changeable, secret },
  {
    ...closed,
    examples: [{ slug: 'crm', name: 'CRM', kind: 'bearer', secret: 'token', hosts: ['crm.example'] }],
  },
)
export type CreateCredentialBody = Static<typeof CreateCredentialBody>

export const UpdateCredentialBody = Type.Object(
  {
    ...Type.Partial(Type.Object({ ...changeable, name: StoredName })).properties,
    secret: Type.Optional(secret),
    version: baseVersion,
  },
  closed,
)
export type UpdateCredentialBody = Static<typeof UpdateCredentialBody>

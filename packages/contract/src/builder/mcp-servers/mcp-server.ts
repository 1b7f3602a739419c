import { type Static, Type } from 'typebox'
import { Slug } from '../../bundles/bundle-fields.ts'
import { BundleMcpServer } from '../../bundles/connection-entries.ts'
import { McpServerTools } from '../../mcp-servers/mcp-server-tools.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { CredentialId, McpServerId, ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'
import { Page } from '../../schema/page.ts'
import { StoredName } from '../../schema/shown-name.ts'
import { UseOfConnection } from '../credentials/credential.ts'
import { baseVersion, SettingName } from '../organization/organization.ts'

const closed = { additionalProperties: false }
const { url } = BundleMcpServer.properties
const StoredTool = McpServerTools.properties.data.items

const shown = {
  mcpServerId: Uuid<McpServerId>(),
  slug: Type.String(),
  name: Type.String(),
  projectId: Nullable(Uuid<ProjectId>({ description: 'null: agents of every project may use it.' })),
  projectName: Nullable(Type.String()),
  url: Type.String({ description: 'Without the parts that the credential adds.' }),
  credential: Nullable(Type.Object({ credentialId: Uuid<CredentialId>(), name: Type.String() })),
  toolCount: Type.Integer({ description: 'Tools that it has offered.' }),
  changedCount: Type.Integer({ description: 'Those of them that have changed and wait to be confirmed.' }),
  usedBy: Type.Array(UseOfConnection, { description: 'At most 100, by kind and name.' }),
  version: Type.Integer({ description: 'Increases with every change.' }),
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
}

/** An MCP server that tools of agents may name. */
export const RegisteredMcpServer = Type.Object(shown)
export type RegisteredMcpServer = Static<typeof RegisteredMcpServer>
export const RegisteredMcpServerPage = Page(RegisteredMcpServer)

/** An MCP server with the tools that it has offered. */
export const McpServerDetails = Type.Object({
  ...shown,
  tools: Type.Array(StoredTool, { description: 'As first offered or last confirmed, by name.' }),
})
export type McpServerDetails = Static<typeof McpServerDetails>

const changeable = {
  name: SettingName,
  slug: Slug,
  projectId: Type.Optional(Nullable(Uuid<ProjectId>())),
  url,
  credentialId: Type.Optional(
    Nullable(Uuid<CredentialId>({ description: 'Sent with every request; it must cover the host.' })),
  ),
}

export const CreateMcpServerBody = Type.Object(
  { id: Type.Optional(Uuid<McpServerId>()), ...changeable },
  { ...closed, examples: [{ slug: 'tickets', name: 'Tickets', url: 'https://tickets.example/mcp' }] },
)
export type CreateMcpServerBody = Static<typeof CreateMcpServerBody>

export const UpdateMcpServerBody = Type.Object(
  { ...Type.Partial(Type.Object({ ...changeable, name: StoredName })).properties, version: baseVersion },
  closed,
)
export type UpdateMcpServerBody = Static<typeof UpdateMcpServerBody>

/** The tools to confirm, as shown. */
export const ConfirmToolsBody = Type.Object(
  {
    tools: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 128 }),
          fingerprint: Type.String({ minLength: 1, maxLength: 64 }),
        },
        closed,
      ),
      { minItems: 1, maxItems: 256 },
    ),
  },
  closed,
)
export type ConfirmToolsBody = Static<typeof ConfirmToolsBody>

/** Tools that agents do not get. */
export const LeftOutTools = Type.Array(Type.Object({ name: Type.String(), reason: Type.String() }), {
  description: 'Tools that agents do not get.',
})

/** A server's answer to a request for its tools. */
export const McpConnectionResult = Type.Object({
  ok: Type.Boolean(),
  ms: Type.Integer(),
  error: Nullable(Type.String({ description: 'Why it cannot be used, without secrets.' })),
  tools: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      inputSchema: OpenObject(),
      fingerprint: Type.String({ description: 'Changes with the description and the input schema.' }),
      isChanged: Type.Boolean({ description: 'Agents get it once it is confirmed.' }),
    }),
    { description: 'As it offers them now.' },
  ),
  leftOut: LeftOutTools,
})
export type McpConnectionResult = Static<typeof McpConnectionResult>

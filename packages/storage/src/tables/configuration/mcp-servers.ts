import type { CredentialId, McpServerId } from '@troupe/contract'
import { integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { organizations } from '../tenants/organizations.ts'
import { projects } from '../tenants/projects.ts'
import { credentials } from './credentials.ts'

/** MCP servers that the tools of agents may name. */
export const mcpServers = pgTable(
  'mcp_servers',
  {
    id: uuid('id').$type<McpServerId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    slug: text('slug').notNull(),
    name: freeText('name').notNull(),
    /** Without the parts that come from a credential. */
    url: text('url').notNull(),
    credentialId: uuid('credential_id')
      .$type<CredentialId>()
      .references(() => credentials.id),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('mcp_servers_slug').on(t.organizationId, t.slug),
    unique('mcp_servers_owner').on(t.organizationId, t.id),
    ofSameOrganization('mcp_servers_project_fk', t, t.projectId, projects).onDelete('cascade'),
  ],
)

/** The tools of servers as first offered or last confirmed, and their current definition if it differs. */
export const mcpServerTools = pgTable(
  'mcp_server_tools',
  {
    organizationId: organizationId(),
    serverId: uuid('server_id').$type<McpServerId>().notNull(),
    name: text('name').notNull(),
    fingerprint: text('fingerprint').notNull(),
    /** The description and input schema in readable form, shortened. */
    definition: freeText('definition').notNull(),
    /** null while the offered definition is the confirmed one. */
    changedFingerprint: text('changed_fingerprint'),
    changedDefinition: freeText('changed_definition'),
    changedAt: moment('changed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.serverId, t.name] }),
    ofSameOrganization('mcp_server_tools_server_fk', t, t.serverId, mcpServers).onDelete('cascade'),
  ],
)

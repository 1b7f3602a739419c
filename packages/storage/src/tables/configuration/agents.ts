import type { AgentConfig, AgentId, AgentVersionId } from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import type { ActorKind } from '../tenants/audit.ts'
import { organizations } from '../tenants/organizations.ts'
import { projects } from '../tenants/projects.ts'

/** The current state of each agent; equal to its newest version. */
export const agents = pgTable(
  'agents',
  {
    id: uuid('id').$type<AgentId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    slug: text('slug'),
    name: freeText('name').notNull(),
    description: freeText('description'),
    status: text('status', { enum: ['draft', 'active', 'archived'] }).notNull(),
    config: document('config').$type<AgentConfig>().notNull(),
    configSchemaVersion: integer('config_schema_version').notNull(),
    versionId: uuid('version_id').$type<AgentVersionId>().notNull(),
    versionNumber: integer('version_number').notNull(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('agents_slug').on(t.organizationId, t.slug),
    // Versions name their agent together with its organization.
    unique('agents_organization_id_id').on(t.organizationId, t.id),
    ofSameOrganization('agents_project_fk', t, t.projectId, projects).onDelete('cascade'),
    // Read backwards for newest first. (Drizzle's `desc()` adds NULLS LAST, which none of the queries use.)
    index('agents_newest').on(t.organizationId, t.createdAt, t.id),
    index('agents_exposed').on(t.organizationId).where(sql`config->>'expose' = 'mcp'`),
    index('agents_project_newest').on(t.organizationId, t.projectId, t.createdAt, t.id),
  ],
)

/**
 * Immutable snapshots of an agent: one per change, numbered, and one per draft that ran in the playground, without a
 * number. Only label and note change.
 */
export const agentVersions = pgTable(
  'agent_versions',
  {
    id: uuid('id').$type<AgentVersionId>().primaryKey(),
    organizationId: organizationId(),
    agentId: uuid('agent_id').$type<AgentId>().notNull(),
    /** null for drafts of the playground. */
    n: integer('n'),
    /** Set for a draft of the playground: the same content is stored once. */
    contentHash: text('content_hash'),
    label: freeText('label'),
    note: freeText('note'),
    name: freeText('name').notNull(),
    description: freeText('description'),
    config: document('config').$type<AgentConfig>().notNull(),
    configSchemaVersion: integer('config_schema_version').notNull(),
    createdByKind: text('created_by_kind').$type<ActorKind>().notNull(),
    createdById: text('created_by_id'),
    createdAt: createdAt(),
  },
  (t) => [
    unique('agent_versions_n').on(t.agentId, t.n),
    unique('agent_versions_content').on(t.agentId, t.contentHash),
    check('agent_versions_kind', sql`(n is null) = (content_hash is not null)`),
    index('agent_versions_drafts').on(t.createdAt).where(sql`n is null`),
    ofSameOrganization('agent_versions_agent_fk', t, t.agentId, agents).onDelete('cascade'),
  ],
)

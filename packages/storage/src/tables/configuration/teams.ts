import type { AgentId, TeamConfig, TeamId, TeamVersionId } from '@troupe/contract'
import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import type { ActorKind } from '../tenants/audit.ts'
import { organizations } from '../tenants/organizations.ts'
import { projects } from '../tenants/projects.ts'
import { agents } from './agents.ts'

/** The current state of each team; equal to its newest version. */
export const teams = pgTable(
  'teams',
  {
    id: uuid('id').$type<TeamId>().primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    projectId: projectId(),
    slug: text('slug'),
    name: freeText('name').notNull(),
    description: freeText('description'),
    config: document('config').$type<TeamConfig>().notNull(),
    configSchemaVersion: integer('config_schema_version').notNull(),
    versionId: uuid('version_id').$type<TeamVersionId>().notNull(),
    versionNumber: integer('version_number').notNull(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('teams_slug').on(t.organizationId, t.slug),
    // Versions and members name their team together with its organization.
    unique('teams_organization_id_id').on(t.organizationId, t.id),
    ofSameOrganization('teams_project_fk', t, t.projectId, projects).onDelete('cascade'),
    index('teams_exposed').on(t.organizationId).where(sql`config->>'expose' = 'mcp'`),
    index('teams_newest').on(t.organizationId, t.createdAt, t.id),
  ],
)

/** Immutable snapshots of a team, as those of an agent. */
export const teamVersions = pgTable(
  'team_versions',
  {
    id: uuid('id').$type<TeamVersionId>().primaryKey(),
    organizationId: organizationId(),
    teamId: uuid('team_id').$type<TeamId>().notNull(),
    /** null for drafts of the playground. */
    n: integer('n'),
    /** Set for a draft of the playground: the same content is stored once. */
    contentHash: text('content_hash'),
    label: freeText('label'),
    note: freeText('note'),
    name: freeText('name').notNull(),
    description: freeText('description'),
    config: document('config').$type<TeamConfig>().notNull(),
    configSchemaVersion: integer('config_schema_version').notNull(),
    createdByKind: text('created_by_kind').$type<ActorKind>().notNull(),
    createdById: text('created_by_id'),
    createdAt: createdAt(),
  },
  (t) => [
    unique('team_versions_n').on(t.teamId, t.n),
    unique('team_versions_content').on(t.teamId, t.contentHash),
    check('team_versions_kind', sql`(n is null) = (content_hash is not null)`),
    index('team_versions_drafts').on(t.createdAt).where(sql`n is null`),
    ofSameOrganization('team_versions_team_fk', t, t.teamId, teams).onDelete('cascade'),
  ],
)

/**
 * The agents of each team's current version. The foreign key blocks deleting a leader or member, and
 * archiving checks this table under the organization's lock.
 */
export const teamAgents = pgTable(
  'team_agents',
  {
    organizationId: organizationId(),
    teamId: uuid('team_id').$type<TeamId>().notNull(),
    agentId: uuid('agent_id').$type<AgentId>().notNull(),
    role: text('role', { enum: ['lead', 'member'] }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.teamId, t.agentId, t.role] }),
    uniqueIndex('team_agents_one_lead').on(t.teamId).where(sql`role = 'lead'`),
    index('team_agents_agent').on(t.organizationId, t.agentId),
    ofSameOrganization('team_agents_team_fk', t, t.teamId, teams).onDelete('cascade'),
    ofSameOrganization('team_agents_agent_fk', t, t.agentId, agents),
  ],
)

import type { AgentId, OrganizationId, TeamId, UserId } from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { document, moment } from '../columns/column-types.ts'
import { members } from '../tenants/members.ts'
import { agents } from './agents.ts'
import { teams } from './teams.ts'

/**
 * Changes of an agent or a team that a member has typed and not saved. A row without an edit says that it was discarded or
 * saved, so that another browser drops its copy; a row that was never written or has expired says nothing.
 */
export const unsavedChanges = pgTable(
  'unsaved_changes',
  {
    organizationId: uuid('organization_id').$type<OrganizationId>().notNull(),
    userId: uuid('user_id').$type<UserId>().notNull(),
    kind: text('kind', { enum: ['agent', 'team'] }).notNull(),
    thingId: uuid('thing_id').notNull(),
    /** The same id for foreign keys. */
    agentId: uuid('agent_id')
      .$type<AgentId>()
      .generatedAlwaysAs(sql`case when kind = 'agent' then thing_id end`),
    teamId: uuid('team_id').$type<TeamId>().generatedAlwaysAs(sql`case when kind = 'team' then thing_id end`),
    /** Of the last write, chosen by its writer. Not a counter: one that starts again would let an old browser overwrite new edits. */
    changeId: uuid('change_id').notNull(),
    edit: document('edit'),
    /** Of `edit`. */
    bytes: integer('bytes').notNull(),
    savedAt: moment('saved_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.thingId, t.userId] }),
    index('unsaved_changes_person').on(t.organizationId, t.userId),
    index('unsaved_changes_saved').on(t.savedAt),
    index('unsaved_changes_agent').on(t.organizationId, t.agentId),
    index('unsaved_changes_team').on(t.organizationId, t.teamId),
    foreignKey({
      name: 'unsaved_changes_agent_fk',
      columns: [t.organizationId, t.agentId],
      foreignColumns: [agents.organizationId, agents.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'unsaved_changes_team_fk',
      columns: [t.organizationId, t.teamId],
      foreignColumns: [teams.organizationId, teams.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'unsaved_changes_member_fk',
      columns: [t.organizationId, t.userId],
      foreignColumns: [members.organizationId, members.userId],
    }).onDelete('cascade'),
  ],
)

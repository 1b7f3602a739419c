import type { ReferencedKind } from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { freeText, organizationId } from '../columns/column-types.ts'

/**
 * The references of the current configuration of an agent, a team or a voice, and of the draft of a workflow, written
 * by their save. No foreign keys: owners and targets are rows of several tables, drafts may name missing resources, and
 * tools of agents deleted ones; readers join the owner. A foreign key to the organization would lock its row in the
 * save of a draft, which already holds the workflow: a publish locks them in the opposite order (deadlock).
 */
export const configReferences = pgTable(
  'config_references',
  {
    organizationId: organizationId(),
    ownerKind: text('owner_kind', { enum: ['agent', 'team', 'workflow', 'voice_configuration'] }).notNull(),
    ownerId: uuid('owner_id').notNull(),
    /** The place in the owner: `config.tools.2.agent_id`; in a draft, `nodes.<node id>.config.agentId`. */
    path: freeText('path').notNull(),
    targetKind: text('target_kind').$type<ReferencedKind>().notNull(),
    /** null: the skill with `target_slug`, or the default LLM configuration. */
    targetId: uuid('target_id'),
    targetSlug: freeText('target_slug'),
  },
  (t) => [
    primaryKey({ name: 'config_references_pk', columns: [t.ownerKind, t.ownerId, t.path] }),
    check(
      'config_references_target',
      sql`case target_kind when 'skill' then (target_id is null) = (target_slug is not null)
        else target_slug is null and (target_id is not null or target_kind = 'llm_configuration') end`,
    ),
    index('config_references_of_target').on(t.organizationId, t.targetId),
    // Skills by slug, and users of the default LLM configuration.
    index('config_references_unnamed')
      .on(t.organizationId, t.targetKind, t.targetSlug)
      .where(sql`target_id is null`),
  ],
)

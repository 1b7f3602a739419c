import type { ReferencedKind } from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { freeText, organizationId } from '../columns/column-types.ts'

/**
 * What the current configuration of an agent, a team or a voice, and the draft of a workflow name, as the save that wrote them
 * left it. No foreign keys: owners and targets are rows of several tables, drafts may name what does not exist, and tools of agents
 * what is gone; readers join the owner. One to the organization would lock its row in the save of a draft, which holds the workflow
 * by then: a publish locks them the other way round (deadlock).
 */
export const configReferences = pgTable(
  'config_references',
  {
    organizationId: organizationId(),
    ownerKind: text('owner_kind', { enum: ['agent', 'team', 'workflow', 'voice_configuration'] }).notNull(),
    ownerId: uuid('owner_id').notNull(),
    /** In the owner: `config.tools.2.agent_id`; in a draft `nodes.<id of the node>.config.agentId`. */
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

import type { AgentId, MemoryId, TeamId } from '@troupe/contract'
import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, moment, organizationId, projectId } from '../columns/column-types.ts'

/** Memories about users, kept by agents and teams. No foreign keys: they outlive the runs that they come from. */
export const userMemories = pgTable(
  'user_memories',
  {
    id: uuid('id').$type<MemoryId>().primaryKey().defaultRandom(),
    organizationId: organizationId(),
    projectId: projectId(),
    /** The keeper: `agent` or `team`, with its id. */
    kind: text('kind').notNull(),
    entityId: uuid('entity_id').$type<AgentId | TeamId>().notNull(),
    /** The readers: `agent:<id>`, `team:<id>`, or `project:<id>` for all agents of a project. */
    keeper: text('keeper').notNull(),
    userId: freeText('user_id').notNull(),
    text: freeText('text').notNull(),
    /** The words of the text: texts with equal words are kept once. */
    fingerprint: text('fingerprint').notNull(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('user_memories_once').on(t.organizationId, t.userId, t.keeper, t.fingerprint),
    index('user_memories_newest').on(t.organizationId, t.updatedAt, t.id),
  ],
)

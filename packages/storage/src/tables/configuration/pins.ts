import type { WorkflowId, WorkflowRunId } from '@troupe/contract'
import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { document, moment, organizationId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { workflows } from './workflows.ts'

/** Outputs that tests of a draft use instead of running a step. */
export const workflowPins = pgTable(
  'workflow_pins',
  {
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').$type<WorkflowId>().notNull(),
    nodeId: text('node_id').notNull(),
    output: document('output'),
    /** The output in the form in which traces show it: without secrets, and truncated. */
    shown: document('shown'),
    /** The handles taken by the step; null for its default. */
    handles: text('handles').array(),
    /** Hash of the upstream steps in the draft when it was pinned. */
    inputHash: text('input_hash').notNull(),
    fromRunId: uuid('from_run_id').$type<WorkflowRunId>(),
    /** Names of the password fields of the run from which it was copied. */
    secretNames: text('secret_names').array().notNull(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /**
     * Hash of the step when it was removed from the draft: the pin becomes active again when the same step is restored.
     * Preceded by the hashes of later steps with the same id that were removed too, separated by commas, the last one
     * first. null: not removed.
     */
    removedStep: text('removed_step'),
    removedAt: moment('removed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workflowId, t.nodeId] }),
    ofSameOrganization('workflow_pins_workflow_fk', t, t.workflowId, workflows).onDelete('cascade'),
  ],
)

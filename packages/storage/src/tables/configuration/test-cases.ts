import type { TestCaseId, WorkflowId, WorkflowRunId } from '@troupe/contract'
import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, document, freeText, moment, organizationId } from '../columns/column-types.ts'
import { ofSameOrganization } from '../columns/of-same-organization.ts'
import { workflows } from './workflows.ts'

/** Test cases of drafts. Every change takes the lock of the workflow's row, so that a publish sees all of them or waits. */
export const workflowTestCases = pgTable(
  'workflow_test_cases',
  {
    id: uuid('id').$type<TestCaseId>().primaryKey(),
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').$type<WorkflowId>().notNull(),
    name: freeText('name').notNull(),
    triggerNodeId: text('trigger_node_id'),
    payload: document('payload'),
    /** Results of steps with effects, copied from the run: `[{nodeId, path, output, handles}]`. */
    mocks: document('mocks').notNull(),
    /** Their steps and frames: `[{nodeId, path}]`. Lists read only these. */
    mocked: document('mocked').notNull(),
    /** Names of the password fields whose values payload and mocks may hold. */
    secretNames: text('secret_names').array().notNull(),
    expectation: document('expectation').notNull(),
    blocking: boolean('blocking').notNull(),
    /** Incremented by every change of the case, not by a result. */
    version: integer('version').notNull(),
    fromRunId: uuid('from_run_id').$type<WorkflowRunId>(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('workflow_test_cases_workflow').on(t.organizationId, t.workflowId),
    ofSameOrganization('workflow_test_cases_workflow_fk', t, t.workflowId, workflows).onDelete('cascade'),
  ],
)

/** The newest test of each case. The verdict is written once, by the first reader after the end of the run. */
export const workflowTestResults = pgTable('workflow_test_results', {
  testCaseId: uuid('test_case_id')
    .$type<TestCaseId>()
    .primaryKey()
    .references(() => workflowTestCases.id, { onDelete: 'cascade' }),
  organizationId: organizationId(),
  runId: uuid('run_id').$type<WorkflowRunId>().notNull(),
  /** The version of the case at the start of the test. */
  caseVersion: integer('case_version').notNull(),
  draftRevision: integer('draft_revision').notNull(),
  /** SHA-256 of the draft without positions. */
  contentHash: text('content_hash').notNull(),
  /** null: the run had not ended at the last read. */
  verdict: text('verdict', { enum: ['passed', 'failed'] }),
  differences: document('differences').notNull(),
  startedAt: moment('started_at').notNull(),
})

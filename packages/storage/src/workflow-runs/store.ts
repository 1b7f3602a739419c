import type { WorkflowRunId } from '@troupe/contract'
import type { WorkflowRunStore } from '@troupe/workflows/ports'
import { turnStore } from '../durable-work/turn-store.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { acceptRun } from './accept-run.ts'
import { cancelWorkflowRun, failDispatch, settleCancelledWorkflowRuns } from './cancel-run.ts'
import { claimRun, reloadRun } from './claim-run.ts'
import { commitRun } from './commit-run.ts'
import { endOrphans } from './end-orphans.ts'
import { findNodes, findWorkflowRun } from './find-run.ts'
import { pauseWorkflowRun, resumeWithinBudget, resumeWorkflowRun } from './pause-run.ts'
import { WORKFLOW_RUN_TABLE } from './run-table.ts'
import { sweepExpiredWorkflowRuns } from './sweep-expired.ts'

/**
 * The rows of workflow runs as hand-written SQL: every change of owner and every end is one statement.
 *
 * @param alone Whether the database has only one connection.
 */
export function workflowRunStore(client: SqlClient, { alone }: { alone: boolean }): WorkflowRunStore {
  return {
    ...turnStore<WorkflowRunId>(client, WORKFLOW_RUN_TABLE),
    accept: acceptRun(client, alone),
    claim: claimRun(client),
    commit: commitRun(client),
    reload: reloadRun(client),
    cancel: cancelWorkflowRun(client),
    settleCancelled: settleCancelledWorkflowRuns(client),
    pause: pauseWorkflowRun(client),
    resume: resumeWorkflowRun(client),
    resumeWithinBudget: resumeWithinBudget(client),
    failDispatch: failDispatch(client),
    find: findWorkflowRun(client),
    nodes: findNodes(client),
    endOrphans: endOrphans(client),
    sweepExpired: sweepExpiredWorkflowRuns(client),
  }
}

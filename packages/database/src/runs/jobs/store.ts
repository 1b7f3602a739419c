import type { JobStore } from '@troupe/agents/ports'
import type { SqlClient } from '../../sql/sql-client.ts'
import { claimChild, claimJob } from './claim-job.ts'
import { commitStep } from './commit-step.ts'
import { dispatched, yieldJob } from './job-turns.ts'
import { recoverJobs, sweepJobs } from './sweep-jobs.ts'

/** The rows of jobs as hand-written SQL: every change of hands and every end is one statement. */
export function jobStore(client: SqlClient): JobStore {
  return {
    claim: claimJob(client),
    claimChild: claimChild(client),
    commitStep: commitStep(client),
    yield: yieldJob(client),
    dispatched: dispatched(client),
    sweep: sweepJobs(client),
    recover: recoverJobs(client),
  }
}

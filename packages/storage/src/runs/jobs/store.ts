import type { JobStore } from '@troupe/agents/ports'
import type { RunId } from '@troupe/contract'
import { giveBack } from '../../durable-work/leases.ts'
import { turnStore } from '../../durable-work/turn-store.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { claimChild, claimJob } from './claim-job.ts'
import { commitStep } from './commit-step.ts'
import { JOB_TABLE } from './job-table.ts'
import { parkJob } from './park-job.ts'

/** The rows of jobs as hand-written SQL: every change of owner and every end is one statement. */
export function jobStore(client: SqlClient): JobStore {
  return {
    ...turnStore<RunId>(client, JOB_TABLE),
    claim: claimJob(client),
    claimChild: claimChild(client),
    commitStep: commitStep(client),
    yield: giveBack(client, JOB_TABLE),
    park: parkJob(client),
  }
}

import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../src/database.ts'
import { openDatabase } from '../src/open-database.ts'
import type { SqlDriver } from '../src/sql/client/sql-client.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'
import { approvalsContract } from './contract/approvals.ts'
import { budgetPausesContract } from './contract/budget-pauses.ts'
import { callLeasesContract } from './contract/call-leases.ts'
import { callTrafficContract } from './contract/call-traffic.ts'
import { cancelsContract } from './contract/cancels.ts'
import { configReferencesContract, referenceLocksContract } from './contract/config-references.ts'
import { configurationContract } from './contract/configuration.ts'
import { deletionsContract } from './contract/deletions.ts'
import { eventLogContract } from './contract/event-log.ts'
import { formUploadsContract } from './contract/form-uploads.ts'
import { jobCancelsContract } from './contract/job-cancels.ts'
import { jobRacesContract } from './contract/job-races.ts'
import { jobStepsContract } from './contract/job-steps.ts'
import { jobSweepContract } from './contract/job-sweep.ts'
import { jobsContract } from './contract/jobs.ts'
import { knowledgeContract } from './contract/knowledge.ts'
import { knowledgeLanguagesContract } from './contract/knowledge-languages.ts'
import { knowledgeReadingsContract } from './contract/knowledge-readings.ts'
import { knowledgeRebuildContract } from './contract/knowledge-rebuild.ts'
import { knowledgeSearchContract } from './contract/knowledge-search.ts'
import { leasesContract } from './contract/leases.ts'
import { migrationsContract } from './contract/migrations.ts'
import { peopleContract } from './contract/people.ts'
import { recentFailuresContract } from './contract/recent-failures.ts'
import { reviewsContract } from './contract/reviews.ts'
import { runBudgetsContract } from './contract/run-budgets.ts'
import { runMembersContract } from './contract/run-members.ts'
import { runsContract } from './contract/runs.ts'
import { schedulesContract } from './contract/schedules.ts'
import { sessionsContract } from './contract/sessions.ts'
import { teamsContract } from './contract/teams.ts'
import { usageTotalsContract } from './contract/usage-totals.ts'
import { voiceSessionsContract } from './contract/voice-sessions.ts'
import { weekOfRunsContract } from './contract/week-of-runs.ts'
import { workflowAcceptsContract } from './contract/workflow-accepts.ts'
import { workflowBudgetsContract } from './contract/workflow-budgets.ts'
import { workflowCancelsContract } from './contract/workflow-cancels.ts'
import { workflowGrowthContract } from './contract/workflow-growth.ts'
import { workflowRacesContract } from './contract/workflow-races.ts'
import { workflowRetentionContract } from './contract/workflow-retention.ts'
import { workflowSweepContract } from './contract/workflow-sweep.ts'
import { workflowTakeoversContract } from './contract/workflow-takeovers.ts'
import { workflowTestsContract } from './contract/workflow-tests.ts'
import { workflowTurnsContract } from './contract/workflow-turns.ts'
import { workflowsContract } from './contract/workflows.ts'
import { migrateUrl } from './migrate-url.ts'

const postgres = await testPostgres(migrateUrl)
const vectorSearch = postgres && (await hasPgvector(postgres.url)) ? 'pgvector' : 'exact'

async function hasPgvector(url: string): Promise<boolean> {
  await using driver = openPool({ url, size: 1, onError: () => {} })
  const [row] = await driver.execute("select from pg_available_extensions where name = 'vector'", [])
  // `npm run test:pgvector` must not pass by comparing arrays.
  if (row === undefined && process.env.TROUPE_TEST_PGVECTOR === 'required')
    throw new Error('There is no pgvector.')
  return row !== undefined
}

describe.skipIf(!postgres)('PostgreSQL', () => {
  const owned = new AsyncDisposableStack()
  let database: Database
  let client: SqlDriver

  beforeAll(async () => {
    if (!postgres) return
    owned.use(postgres)
    const { url } = owned.use(await postgres.createDatabase())
    client = owned.use(openPool({ url, size: 2, onError: () => {} }))
    database = owned.use(await openDatabase({ kind: 'postgres', url, poolSize: 16, replicas: false }))
  })
  afterAll(() => owned.disposeAsync())

  const subject = () => database
  migrationsContract(() => client)
  configurationContract(subject, () => client)
  configReferencesContract(subject, () => client)
  referenceLocksContract(subject, () => client)
  peopleContract(subject, { isPooled: true })
  formUploadsContract(subject)
  knowledgeContract(subject)
  knowledgeLanguagesContract(subject, () => client)
  knowledgeReadingsContract(subject, () => client)
  knowledgeRebuildContract(subject)
  knowledgeSearchContract(subject, vectorSearch)
  teamsContract(subject, () => client)
  schedulesContract(subject, () => client)
  sessionsContract(subject, () => client)
  deletionsContract(subject)
  runsContract(subject, () => client)
  runMembersContract(subject, () => client)
  cancelsContract(subject, () => client)
  leasesContract(subject, () => client)
  eventLogContract(subject, () => client)
  jobsContract(subject, () => client)
  jobStepsContract(subject, () => client)
  jobRacesContract(subject, () => client)
  jobCancelsContract(subject, () => client)
  jobSweepContract(subject, () => client)
  approvalsContract(subject, () => client)
  runBudgetsContract(subject, () => client)
  usageTotalsContract(subject, () => client)
  voiceSessionsContract(subject, () => client)
  weekOfRunsContract(subject, () => client)
  workflowAcceptsContract(subject, () => client)
  workflowBudgetsContract(subject, () => client)
  budgetPausesContract(subject, () => client)
  callLeasesContract(subject, () => client)
  callTrafficContract(subject)
  workflowCancelsContract(subject, () => client)
  workflowGrowthContract(subject, () => client)
  workflowRacesContract(subject, () => client)
  workflowRetentionContract(subject, () => client)
  recentFailuresContract(subject, () => client)
  reviewsContract(subject, () => client)
  workflowSweepContract(subject, () => client)
  workflowTakeoversContract(subject, () => client)
  workflowTestsContract(subject, () => client)
  workflowTurnsContract(subject, () => client)
  workflowsContract(subject, () => client)
})

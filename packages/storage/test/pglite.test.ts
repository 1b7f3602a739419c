import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../src/database.ts'
import { knownMigrations } from '../src/known-migrations.ts'
import { databaseOver } from '../src/open-pglite.ts'
import type { SqlDriver } from '../src/sql/client/sql-client.ts'
import { openEmbedded } from '../src/sql/pglite/open-embedded.ts'
import { observedDriver } from '../src/testing/observed-driver.ts'
import { approvalsContract } from './contract/approvals.ts'
import { budgetPausesContract } from './contract/budget-pauses.ts'
import { callLeasesContract } from './contract/call-leases.ts'
import { callTrafficContract } from './contract/call-traffic.ts'
import { cancelsContract } from './contract/cancels.ts'
import { configReferencesContract } from './contract/config-references.ts'
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
import { letterCaseContract } from './contract/letter-case.ts'
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

describe('PGlite', () => {
  let database: Database
  let client: SqlDriver

  beforeAll(async () => {
    const migrations = await knownMigrations()
    const embedded = await openEmbedded({ directory: null, migrations, notice: () => {} })
    client = embedded.driver
    database = await databaseOver({ ...embedded, driver: observedDriver(client) }, migrations)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  const subject = () => database
  migrationsContract(() => client)
  configurationContract(subject, () => client)
  configReferencesContract(subject, () => client)
  peopleContract(subject, { isPooled: false })
  formUploadsContract(subject)
  knowledgeContract(subject)
  knowledgeLanguagesContract(subject, () => client)
  knowledgeReadingsContract(subject, () => client)
  knowledgeRebuildContract(subject)
  knowledgeSearchContract(subject, 'pgvector')
  letterCaseContract(subject)
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

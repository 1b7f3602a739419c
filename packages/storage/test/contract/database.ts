import type { Database } from '../../src/database.ts'
import type { SqlDriver } from '../../src/sql/client/sql-client.ts'
import { approvalsContract } from './approvals.ts'
import { budgetPausesContract } from './budget-pauses.ts'
import { callLeasesContract } from './call-leases.ts'
import { callTrafficContract } from './call-traffic.ts'
import { cancelsContract } from './cancels.ts'
import { configReferencesContract } from './config-references.ts'
import { configurationContract } from './configuration.ts'
import { deletionsContract } from './deletions.ts'
import { eventLogContract } from './event-log.ts'
import { formUploadsContract } from './form-uploads.ts'
import { jobCancelsContract } from './job-cancels.ts'
import { jobRacesContract } from './job-races.ts'
import { jobStepsContract } from './job-steps.ts'
import { jobSweepContract } from './job-sweep.ts'
import { jobsContract } from './jobs.ts'
import { knowledgeContract } from './knowledge.ts'
import { knowledgeLanguagesContract } from './knowledge-languages.ts'
import { knowledgeReadingsContract } from './knowledge-readings.ts'
import { knowledgeRebuildContract } from './knowledge-rebuild.ts'
import { knowledgeSearchContract } from './knowledge-search.ts'
import { leasesContract } from './leases.ts'
import { migrationsContract } from './migrations.ts'
import { peopleContract } from './people.ts'
import { recentFailuresContract } from './recent-failures.ts'
import { reviewsContract } from './reviews.ts'
import { runBudgetsContract } from './run-budgets.ts'
import { runMembersContract } from './run-members.ts'
import { runsContract } from './runs.ts'
import { schedulesContract } from './schedules.ts'
import { sessionsContract } from './sessions.ts'
import { teamsContract } from './teams.ts'
import { usageTotalsContract } from './usage-totals.ts'
import { voiceSessionsContract } from './voice-sessions.ts'
import { weekOfRunsContract } from './week-of-runs.ts'
import { workflowAcceptsContract } from './workflow-accepts.ts'
import { workflowBudgetsContract } from './workflow-budgets.ts'
import { workflowCancelsContract } from './workflow-cancels.ts'
import { workflowGrowthContract } from './workflow-growth.ts'
import { workflowRacesContract } from './workflow-races.ts'
import { workflowRetentionContract } from './workflow-retention.ts'
import { workflowSweepContract } from './workflow-sweep.ts'
import { workflowTakeoversContract } from './workflow-takeovers.ts'
import { workflowTestsContract } from './workflow-tests.ts'
import { workflowTurnsContract } from './workflow-turns.ts'
import { workflowsContract } from './workflows.ts'

/** A database under test. */
export interface ContractSubject {
  subject(): Database
  /** Statements past the database's own ports. */
  client(): SqlDriver
  isPooled: boolean
  vectorSearch: 'pgvector' | 'exact'
}

/** The tests that every kind of database passes. */
export function databaseContract({ subject, client, isPooled, vectorSearch }: ContractSubject): void {
  migrationsContract(client)
  configurationContract(subject, client)
  configReferencesContract(subject, client)
  peopleContract(subject, { isPooled })
  formUploadsContract(subject)
  knowledgeContract(subject)
  knowledgeLanguagesContract(subject, client)
  knowledgeReadingsContract(subject, client)
  knowledgeRebuildContract(subject)
  knowledgeSearchContract(subject, vectorSearch)
  teamsContract(subject, client)
  schedulesContract(subject, client)
  sessionsContract(subject, client)
  deletionsContract(subject)
  runsContract(subject, client)
  runMembersContract(subject, client)
  cancelsContract(subject, client)
  leasesContract(subject, client)
  eventLogContract(subject, client)
  jobsContract(subject, client)
  jobStepsContract(subject, client)
  jobRacesContract(subject, client)
  jobCancelsContract(subject, client)
  jobSweepContract(subject, client)
  approvalsContract(subject, client)
  runBudgetsContract(subject, client)
  usageTotalsContract(subject, client)
  voiceSessionsContract(subject, client)
  weekOfRunsContract(subject, client)
  workflowAcceptsContract(subject, client)
  workflowBudgetsContract(subject, client)
  budgetPausesContract(subject, client)
  callLeasesContract(subject, client)
  callTrafficContract(subject)
  workflowCancelsContract(subject, client)
  workflowGrowthContract(subject, client)
  workflowRacesContract(subject, client)
  workflowRetentionContract(subject, client)
  recentFailuresContract(subject, client)
  reviewsContract(subject, client)
  workflowSweepContract(subject, client)
  workflowTakeoversContract(subject, client)
  workflowTestsContract(subject, client)
  workflowTurnsContract(subject, client)
  workflowsContract(subject, client)
}

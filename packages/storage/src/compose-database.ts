import type { Signal, Signals } from '@troupe/durable-work'
import { approvalDecisions } from './approvals/decide-approval.ts'
import { approvalStore } from './approvals/store.ts'
import { flushApiKeyUses } from './builder-lists/api-keys.ts'
import { auditJoins } from './builder-lists/audit-joins.ts'
import { builderRows } from './builder-lists/builder-rows.ts'
import { firstSignInRows } from './builder-lists/first-sign-in.ts'
import { overviews } from './builder-lists/overviews.ts'
import { draftVersions, versionChanges, versions } from './builder-lists/versions.ts'
import type { Database, DutyStores, Readers, Transaction } from './database.ts'
import { formUploadStore } from './forms/uploads.ts'
import { knowledgeStore } from './knowledge/store.ts'
import type { Listeners } from './listen-notify/listeners.ts'
import { notify } from './listen-notify/notify.ts'
import { listenerUpkeep } from './listeners/writer.ts'
import { userMemoryStore } from './memories/store.ts'
import { readersOver } from './readers.ts'
import { reviewDecisions } from './reviews/decide-review.ts'
import { reviewStore } from './reviews/store.ts'
import { observation } from './run-explorer/run-explorer.ts'
import { cancelStoredRun } from './runs/end/cancel-run.ts'
import { jobStore } from './runs/jobs/store.ts'
import { runStore } from './runs/store.ts'
import { scheduleStore } from './schedules/store.ts'
import { number } from './sql/client/columns.ts'
import { guardNestedUse } from './sql/client/nested-use.ts'
import type { SqlClient, SqlDriver } from './sql/client/sql-client.ts'
import { statement } from './sql/client/statement.ts'
import type { Upkeep } from './sql/pglite/vacuum.ts'
import { drizzleOver } from './tables/drizzle/drizzle.ts'
import { withPlainErrors } from './tables/drizzle/plain-errors.ts'
import { unsavedChangesUpkeep } from './unsaved-changes/writer.ts'
import { rollUpUsage } from './usage-ledger/roll-up.ts'
import { usageDays, usageSums } from './usage-ledger/sums.ts'
import { voiceDays, voiceSeconds } from './usage-ledger/voice-seconds.ts'
import { signInRows } from './users/sign-in-rows.ts'
import { voiceRows } from './voice/voice-rows.ts'
import { webhookLog } from './webhooks/log.ts'
import { acceptRun } from './workflow-runs/accept-run.ts'
import { cancelWorkflowRun } from './workflow-runs/cancel-run.ts'
import { pauseWorkflowRun, resumeWithinBudget, resumeWorkflowRun } from './workflow-runs/pause-run.ts'
import { workflowRunStore } from './workflow-runs/store.ts'
import { draftChanges } from './workflows/draft-changes.ts'
import { presenceRows } from './workflows/presence.ts'
import { writersOver } from './writers.ts'

/** Parts that differ between the two kinds of database. */
export interface DatabaseParts {
  kind: Database['kind']
  driver: SqlDriver
  /** For statements that may take minutes; the same as `driver` if that has no time limit. */
  dutyDriver: SqlDriver
  signals: Signals
  upkeep: Upkeep | null
  listeners: Listeners
  exclusive: () => boolean
  close: () => Promise<void>
}

const PING = statement('ping', () => 'select 1 as alive').returning({ alive: number() })

/** The database over a connected and migrated driver. */
export function composeDatabase(parts: DatabaseParts): Database {
  const driver = guardNestedUse(parts.driver)
  const stores = storesOver(driver, parts)
  const isSame = parts.dutyDriver === parts.driver
  return {
    kind: parts.kind,
    read: readersOf(driver),
    async transaction<T>(work: (tx: Transaction) => Promise<T>) {
      const signals: Signal[] = []
      const signal = (one: Signal) => void signals.push(one)
      const result = await driver.transaction(async (client) => {
        const db = drizzleOver(client)
        const result = await work({
          read: readersOf(client),
          write: withPlainErrors(writersOver({ db, client, signal })),
          // Lock exclusively from the start: two holders of a shared lock that both upgrade would deadlock.
          accept: acceptRun(client, true),
          reviews: reviewDecisions(client, signal),
          approvals: approvalDecisions(client, signal),
          auditJoins: auditJoins(client),
          versions: { ...versions(client), ...versionChanges(client) },
          runs: { cancel: cancelStoredRun(client) },
          workflowRuns: {
            cancel: cancelWorkflowRun(client),
            pause: pauseWorkflowRun(client),
            resume: resumeWorkflowRun(client),
            resumeWithinBudget: resumeWithinBudget(client),
          },
        })
        // Commits with NOTIFY queue behind each other: send last, and in one statement. PostgreSQL drops
        // equal payloads.
        if (signals.length > 0) await notify(client, signals)
        return result
      })
      // The notification arrives over another connection, a moment after the commit. Without this, the process that
      // revoked a key could still accept it in its next request.
      for (const one of signals) parts.listeners.tell(one)
      return result
    },
    ...stores,
    overviews: overviews(driver),
    versions: versions(driver),
    firstSignIn: firstSignInRows(driver),
    apiKeyUses: { flush: (uses) => flushApiKeyUses(driver, uses) },
    observed: observation(driver),
    voice: voiceRows(driver),
    duties: isSame ? stores : storesOver(guardNestedUse(parts.dutyDriver), parts),
    signals: parts.signals,
    upkeep: parts.upkeep,
    async ping() {
      await driver.query(...PING({}))
    },
    get exclusive() {
      return parts.exclusive()
    },
    [Symbol.asyncDispose]: parts.close,
  }
}

function readersOf(client: SqlClient): Readers {
  return { ...withPlainErrors(readersOver(drizzleOver(client))), builder: builderRows(client) }
}

function storesOver(driver: SqlDriver, { kind }: Pick<DatabaseParts, 'kind'>): DutyStores {
  return {
    runs: runStore(driver),
    jobs: jobStore(driver),
    workflowRuns: workflowRunStore(driver, { alone: kind === 'pglite' }),
    ...withPlainErrors({ signIn: signInRows(drizzleOver(driver)) }),
    ...withPlainErrors({ formUploads: formUploadStore(driver) }),
    ...withPlainErrors({ knowledge: knowledgeStore(driver, kind) }),
    reviews: reviewStore(driver),
    approvals: approvalStore(driver),
    webhookLog: webhookLog(driver),
    schedules: scheduleStore(driver),
    memories: userMemoryStore(driver),
    drafts: draftVersions(driver),
    draftChanges: draftChanges(driver),
    presence: presenceRows(driver),
    ...withPlainErrors({ listeners: listenerUpkeep(drizzleOver(driver)) }),
    ...withPlainErrors({ unsavedChanges: unsavedChangesUpkeep(drizzleOver(driver)) }),
    usage: {
      rollUp: rollUpUsage(driver),
      sums: usageSums(driver),
      days: usageDays(driver),
      voiceSeconds: voiceSeconds(driver),
      voiceDays: voiceDays(driver),
    },
  }
}

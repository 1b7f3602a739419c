import type { RunStore } from '@troupe/agents/ports'
import { memberHistory } from '../sessions/member-history.ts'
import { readSession } from '../sessions/read-session.ts'
import { saveSummary } from '../sessions/summaries.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { recordUsage } from '../usage-ledger/record-usage.ts'
import { cancelStoredRun } from './end/cancel-run.ts'
import { eraseTexts } from './end/erase-texts.ts'
import { failLost } from './end/fail-lost.ts'
import { finishRun } from './end/finish-run.ts'
import { settleCancelled } from './end/settle-cancelled.ts'
import { appendEvents, eventsAfter } from './events/event-log.ts'
import { findRun } from './find-run.ts'
import { isOverBudget } from './is-over-budget.ts'
import { startRun } from './start-run.ts'
import { sweepExpired } from './sweep-expired.ts'

/** The rows of runs and sessions, each method one statement of hand-written SQL. */
export function runStore(client: SqlClient): RunStore {
  return {
    session: readSession(client),
    start: startRun(client),
    finish: finishRun(client),
    cancel: cancelStoredRun(client),
    settleCancelled: settleCancelled(client),
    find: findRun(client),
    memberHistory: memberHistory(client),
    failLost: failLost(client),
    appendEvents: appendEvents(client),
    eventsAfter: eventsAfter(client),
    saveSummary: saveSummary(client),
    isOverBudget: isOverBudget(client),
    recordUsage: recordUsage(client),
    eraseTexts: eraseTexts(client),
    sweepExpired: sweepExpired(client),
  }
}

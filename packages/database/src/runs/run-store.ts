import type { RunStore } from '@troupe/agents/ports'
import type { SqlClient } from '../sql/sql-client.ts'
import { cancelStoredRun } from './cancel-run.ts'
import { eraseTexts } from './erase-texts.ts'
import { appendEvents, eventsAfter } from './event-log.ts'
import { failLost } from './fail-lost.ts'
import { findRun } from './find-run.ts'
import { finishRun } from './finish-run.ts'
import { memberHistory } from './member-history.ts'
import { readSession } from './read-session.ts'
import { recordUsage } from './record-usage.ts'
import { settleCancelled } from './settle-cancelled.ts'
import { startRun } from './start-run.ts'
import { saveSummary } from './summaries.ts'
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
    recordUsage: recordUsage(client),
    eraseTexts: eraseTexts(client),
    sweepExpired: sweepExpired(client),
  }
}

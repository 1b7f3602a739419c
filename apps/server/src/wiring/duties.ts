import { endLostRuns } from '@troupe/agents'
import { type Duty, sendDeliveries, sweepTurns } from '@troupe/durable-work'
import { sweepUploads } from '@troupe/operations/forms/sweep-uploads'
import { CALLS_STAY_MS } from '@troupe/operations/listeners/manage-listeners'
import { deleteExpiredSessions } from '@troupe/people/expired-sessions'
import { provisionWaitingTrunks, reapSessions, reconcileRooms, WorkerWatch } from '@troupe/voice'
import { vacuumWhileQuiet } from '../upkeep/vacuum-while-quiet.ts'
import type { Context } from './context.ts'

const DAY_MS = 24 * 60 * 60_000
/** Retention of event logs and idempotency keys. */
const LOG_MS = DAY_MS
const HOUR_MS = 60 * 60_000
/** Retention of playground runs, with the drafts that they ran. */
const PLAYGROUND_MS = 7 * DAY_MS
/** Retention of the ledger of fires, the log of webhook deliveries and the changes of drafts. */
const HISTORY_MS = 30 * DAY_MS
/** Retention of unsaved changes of agents and teams since their last change. */
const UNSAVED_MS = 90 * DAY_MS

/** Parts of the process used by duties. */
export type DutyParts = Pick<
  Context,
  | 'config'
  | 'database'
  | 'clock'
  | 'files'
  | 'runs'
  | 'workflows'
  | 'reviews'
  | 'forms'
  | 'knowledge'
  | 'quiet'
  | 'storage'
  | 'voice'
  | 'calls'
>

/**
 * The periodic duties of the role `scheduler`, in the order of execution; its `Scheduler` fires schedules on the second beside
 * them. Timers of a single process are created where they are used: ARCHITECTURE.md lists them under "Duties".
 */
export function periodicDuties(parts: DutyParts): Duty[] {
  return [
    ...watchdogDuties(parts),
    ...voiceDuties(parts),
    ...budgetDuties(parts),
    ...retentionDuties(parts),
    ...upkeepDuties(parts),
  ]
}

/** If voice is configured: closes sessions, finds lost rooms and workers, and looks for signs of fraud. */
function voiceDuties({ voice: { parts, connected }, calls: { provisioning, watch } }: DutyParts): Duty[] {
  if (connected === null) return []
  const workerWatch = new WorkerWatch(parts, connected.bootedAt)
  const every = 'voiceSessions'
  return [
    { every: 'voiceWorkers', task: 'lost voice workers', work: () => workerWatch.round() },
    { every, task: 'overdue voice sessions', work: () => reapSessions(parts) },
    { every, task: 'lost rooms', work: () => reconcileRooms(parts) },
    { every, task: 'trunks to provision', work: () => provisionWaitingTrunks(provisioning) },
    { every: 'minute', task: 'signs of fraud in calls', work: () => watch.look() },
  ]
}

/** Every ten seconds: resumes lost work and delivers what is due. */
function watchdogDuties({
  config,
  database: { duties: stores },
  runs,
  workflows,
  reviews,
  knowledge,
}: DutyParts): Duty[] {
  const jobs = { ...runs.deps, store: stores.jobs }
  const workflowRuns = { ...workflows.deps, store: stores.workflowRuns }
  const every = 'watchdog'
  return [
    {
      every,
      // First: after a database outage the leases of this process's own turns have expired too.
      task: 'own leases',
      work: () => Promise.all([runs.active.renew(), workflows.active.renew()]),
    },
    { every, task: 'lost runs', work: () => endLostRuns(stores.runs, { all: false }) },
    { every, task: 'erasing texts', work: () => stores.runs.eraseTexts() },
    { every, task: 'due jobs', work: () => sweepTurns(jobs, config.runs.jobQueueSeconds) },
    { every, task: 'notices of reviews and approvals', work: () => reviews.sendNotices() },
    {
      every,
      task: 'due workflow runs',
      work: () => sweepTurns(workflowRuns, config.workflows.queueSeconds),
    },
    { every, task: 'approvals of ended runs', work: () => stores.approvals.closeEnded() },
    { every, task: 'runs to learn from', work: async () => runs.deps.learner.hurry() },
    { every, task: 'queued documents', work: async () => knowledge.hurry() },
    { every, task: 'orphans of workflow runs', work: () => stores.workflowRuns.endOrphans() },
    {
      every,
      task: 'deadlines of reviews',
      work: async () => sendDeliveries(workflows.deps, await stores.reviews.expire()),
    },
    {
      every,
      task: 'deadlines of approvals in workflows',
      work: async () => sendDeliveries(workflows.deps, await stores.approvals.continueLate()),
    },
  ]
}

/** Every minute: aggregates the ledger, and resumes runs whose budgets have room again. */
function budgetDuties({ database: { duties: stores }, workflows }: DutyParts): Duty[] {
  return [
    { every: 'minute', task: 'totals of usage', work: () => stores.usage.rollUp() },
    {
      every: 'minute',
      task: 'runs out of budget',
      work: async () => sendDeliveries(workflows.deps, await stores.workflowRuns.resumeWithinBudget()),
    },
  ]
}

/** Every ten minutes: deletes rows past their retention. */
function retentionDuties({ database: { duties: stores, voice }, clock, files, forms }: DutyParts): Duty[] {
  const every = 'retention'
  const ago = (ms: number) => clock.now() - ms
  return [
    {
      every,
      task: 'event logs and idempotency keys',
      work: () => stores.runs.sweepExpired({ eventsBefore: ago(LOG_MS), idempotencyBefore: ago(LOG_MS) }),
    },
    { every, task: 'workflow runs', work: () => stores.workflowRuns.sweepExpired(clock.now()) },
    { every, task: 'fires of schedules', work: () => stores.schedules.sweepExpired(ago(HISTORY_MS)) },
    { every, task: 'sign-in sessions', work: () => deleteExpiredSessions(stores.signIn, clock.now()) },
    { every, task: 'webhook deliveries', work: () => stores.webhookLog.sweep(ago(HISTORY_MS)) },
    { every, task: 'listeners', work: () => stores.listeners.sweep(new Date(ago(CALLS_STAY_MS))) },
    {
      every,
      task: 'uploads of forms',
      work: () => sweepUploads({ uploads: stores.formUploads, files }, clock.now()),
    },
    {
      every,
      task: 'playground',
      work: () => stores.drafts.sweep(new Date(ago(PLAYGROUND_MS))),
    },
    {
      every,
      task: 'changes of drafts',
      work: () => stores.draftChanges.sweep(new Date(ago(HISTORY_MS))),
    },
    {
      every,
      task: 'unsaved changes',
      work: () => stores.unsavedChanges.sweep(new Date(ago(UNSAVED_MS))),
    },
    {
      every,
      task: 'voice sessions and calls',
      work: () => voice.upkeep.eraseExpired(new Date(clock.now())),
    },
    { every, task: 'events of the media server', work: () => voice.events.sweep(new Date(ago(HOUR_MS))) },
    { every, task: 'voice workers', work: () => voice.workers.sweep(new Date(ago(DAY_MS))) },
    { every, task: 'incoming files', work: () => forms.incoming.sweep(clock.now()) },
  ]
}

/** Every minute, for the embedded database: vacuums its tables. */
function upkeepDuties({ database: { upkeep }, quiet, storage }: DutyParts): Duty[] {
  if (upkeep === null) return []
  return [{ every: 'minute', task: 'vacuum', work: () => vacuumWhileQuiet({ upkeep, quiet, storage }) }]
}

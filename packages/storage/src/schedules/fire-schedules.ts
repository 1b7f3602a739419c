import type { WorkflowId, WorkflowRunId } from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import type { AcceptOutcome } from '@troupe/workflows/ports'
import { json, notNull, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient, SqlDriver } from '../sql/client/sql-client.ts'
import { type Placeholders, statement } from '../sql/client/statement.ts'
import { storableJson } from '../sql/client/storable.ts'
import { cancelWorkflowRun } from '../workflow-runs/cancel-run.ts'
import { IN_FLIGHT } from '../workflow-runs/run-rows.ts'
import type { FireBatch, FirePlan, HeldSchedule, ScheduleRecord, ScheduleStore } from './port.ts'
import {
  keyOf,
  SCHEDULE_COLUMNS,
  SCHEDULE_ROW,
  sqlTimestamp,
  sqlTimestampOrNull,
  toScheduleRecord,
} from './rows.ts'

type HoldParameter = 'now' | 'limit' | 'except' | 'onlyWorkflowId' | 'onlyNodeId'

const isExcepted = (p: Placeholders<HoldParameter>) => `
  exists (
    select from json_to_recordset(${p.except}::json) as excepted("workflowId" uuid, "nodeId" text)
    where excepted."workflowId" = schedules.workflow_id and excepted."nodeId" = schedules.node_id
  )`
const isWanted = (p: Placeholders<HoldParameter>) =>
  `(${p.onlyWorkflowId}::uuid is null
    or schedules.workflow_id = ${p.onlyWorkflowId}::uuid and schedules.node_id = ${p.onlyNodeId}::text)`

const RUN_OF_SCHEDULE = `
  workflow_runs.organization_id = schedules.organization_id and ${IN_FLIGHT}
  and workflow_runs.workflow_id = schedules.workflow_id and workflow_runs.source = 'schedule'
  and workflow_runs.fired_node_id = schedules.node_id`

/** Rows that another scheduler or a publish has changed since the snapshot are re-evaluated in their current state. */
const HOLD_DUE = statement<HoldParameter>(
  'hold_due_schedules',
  (p) => `
select ${SCHEDULE_COLUMNS} from schedules
where next_fire_at <= ${p.now}::timestamptz and not ${isExcepted(p)} and ${isWanted(p)}
order by next_fire_at limit ${p.limit}::int for update skip locked`,
).returning(SCHEDULE_ROW)

const HOLD_WAITING = statement<HoldParameter>(
  'hold_waiting_schedules',
  (p) => `
select ${SCHEDULE_COLUMNS} from schedules
where waiting_since <= ${p.now}::timestamptz and not ${isExcepted(p)} and ${isWanted(p)}
  and not exists (select from workflow_runs where ${RUN_OF_SCHEDULE})
order by waiting_since limit ${p.limit}::int for update of schedules skip locked`,
).returning(SCHEDULE_ROW)

/**
 * Runs as a separate statement after the rows are locked: the locking statement's snapshot may predate
 * another scheduler's commit.
 */
const RUNS_IN_FLIGHT = statement<'schedules'>(
  'runs_of_schedules_in_flight',
  (p) => `
select workflow_runs.id as "runId", schedules."workflowId", schedules."nodeId"
from (
  select "workflowId", "nodeId", "organizationId" as organization_id, "workflowId" as workflow_id, "nodeId" as node_id
  from json_to_recordset(${p.schedules}::json) as held("organizationId" uuid, "workflowId" uuid, "nodeId" text)
) schedules join workflow_runs on ${RUN_OF_SCHEDULE}
order by workflow_runs.created_at, workflow_runs.id`,
).returning({ runId: uuid<WorkflowRunId>(), workflowId: uuid<WorkflowId>(), nodeId: text() })

/**
 * Writes a batch in one statement. A planned time that is already in the ledger starts nothing, even if a
 * clock was wrong. `accept_run` is volatile: each call sees what earlier calls wrote. Rows are ordered by
 * organization, because each start locks its organization until commit: two schedulers cannot deadlock.
 */
const FIRE = statement<'fires' | 'moves' | 'now'>(
  'fire_schedules',
  (p) => `
with told as (
  insert into schedule_fires (organization_id, workflow_id, node_id, scheduled_for, outcome, reason, execution_id, decided_at)
  select "organizationId", "workflowId", "nodeId", "scheduledFor", outcome, reason, "runId", ${p.now}::timestamptz
  from json_to_recordset(${p.fires}::json) as fire("organizationId" uuid, "workflowId" uuid, "nodeId" text,
    "scheduledFor" timestamptz, outcome text, reason text, "runId" uuid)
  on conflict do nothing
  returning organization_id, workflow_id, node_id, scheduled_for, execution_id
), moved as (
  update schedules set next_fire_at = move."nextFireAt", waiting_since = move."waitingSince"
  from json_to_recordset(${p.moves}::json) as move("workflowId" uuid, "nodeId" text, "nextFireAt" timestamptz,
    "waitingSince" timestamptz)
  where schedules.workflow_id = move."workflowId" and schedules.node_id = move."nodeId"
)
select workflow_id as "workflowId", node_id as "nodeId", scheduled_for as "scheduledFor", execution_id as "runId",
  accept_run(p_id => execution_id, p_organization => organization_id, p_key_project => null, p_workflow => workflow_id,
    p_source => 'schedule', p_fired_node => node_id, p_input => '{}', p_api_key => null, p_waiter => null,
    p_worker => null, p_lease_seconds => null, p_created_at => ${p.now}::timestamptz, p_path => null, p_key => null,
    p_body_hash => null, p_exclusive => true, p_scheduled_for => scheduled_for, p_started_by_user => null) as outcome
from (
  select * from told where execution_id is not null order by organization_id, scheduled_for, workflow_id, node_id
) start`,
).returning({
  workflowId: uuid<WorkflowId>(),
  nodeId: text(),
  scheduledFor: timestamp(),
  runId: notNull(uuid<WorkflowRunId>()),
  outcome: json<AcceptOutcome>(),
})

/** A run rejected by a budget or by the ceiling still has a row with the verdict: the ledger keeps both. */
const NOTE_REFUSALS = statement<'refusals'>(
  'note_refused_fires',
  (p) => `
update schedule_fires set reason = refusal.reason,
  outcome = case when refusal."hasRun" then schedule_fires.outcome else 'missed' end,
  execution_id = case when refusal."hasRun" then schedule_fires.execution_id end
from json_to_recordset(${p.refusals}::json) as refusal("workflowId" uuid, "nodeId" text, "scheduledFor" timestamptz, reason text,
  "hasRun" boolean)
where schedule_fires.workflow_id = refusal."workflowId" and schedule_fires.node_id = refusal."nodeId"
  and schedule_fires.scheduled_for = refusal."scheduledFor"`,
)

interface Planned {
  schedule: HeldSchedule
  plan: FirePlan
}

export function fireSchedules(driver: SqlDriver): ScheduleStore['fire'] {
  return (batch, plan) =>
    driver.transaction(async (client) => {
      const held = await hold(client, batch)
      const planned: Planned[] = []
      let starts = 0
      for (const schedule of await withRuns(client, held)) {
        if (starts >= batch.maxStarts) break
        const one = { schedule, plan: plan(schedule) }
        starts += one.plan.fires.filter(({ runId }) => runId !== null).length
        planned.push(one)
      }
      if (planned.length === 0) return { schedules: 0, deliveries: [] }
      await makeRoom(client, planned)
      return { schedules: planned.length, deliveries: await fire(client, planned, batch.now) }
    })
}

async function hold(
  client: SqlClient,
  { which, now, limit, only, except }: FireBatch,
): Promise<ScheduleRecord[]> {
  const held = which === 'due' ? HOLD_DUE : HOLD_WAITING
  const rows = await client.query(
    ...held({
      now: sqlTimestamp(now),
      limit,
      except: storableJson(except),
      onlyWorkflowId: only?.workflowId ?? null,
      onlyNodeId: only?.nodeId ?? null,
    }),
  )
  return rows.map(toScheduleRecord)
}

async function withRuns(client: SqlClient, held: readonly ScheduleRecord[]): Promise<HeldSchedule[]> {
  const asking = held.filter(({ overlap }) => overlap !== 'allow')
  const runs = new Map<string, WorkflowRunId[]>()
  if (asking.length > 0) {
    const found = await client.query(
      ...RUNS_IN_FLIGHT({
        schedules: storableJson(
          asking.map(({ organizationId, workflowId, nodeId }) => ({ organizationId, workflowId, nodeId })),
        ),
      }),
    )
    for (const run of found) {
      const known = runs.get(keyOf(run))
      if (known) known.push(run.runId)
      else runs.set(keyOf(run), [run.runId])
    }
  }
  return held.map((schedule) => ({ ...schedule, inFlight: runs.get(keyOf(schedule)) ?? [] }))
}

async function makeRoom(client: SqlClient, planned: readonly Planned[]): Promise<void> {
  const cancel = cancelWorkflowRun(client)
  for (const { schedule, plan } of planned) {
    const scope = { organizationId: schedule.organizationId, projectId: null }
    for (const runId of plan.cancels) await cancel(scope, runId)
  }
}

async function fire(client: SqlClient, planned: readonly Planned[], now: number): Promise<Delivery[]> {
  const fires = planned.flatMap(({ schedule: { organizationId, workflowId, nodeId }, plan }) =>
    plan.fires.map((one) => ({
      organizationId,
      workflowId,
      nodeId,
      ...one,
      scheduledFor: sqlTimestamp(one.scheduledFor),
    })),
  )
  const moves = planned.map(({ schedule: { workflowId, nodeId }, plan }) => ({
    workflowId,
    nodeId,
    nextFireAt: sqlTimestampOrNull(plan.nextFireAt),
    waitingSince: sqlTimestampOrNull(plan.waitingSince),
  }))
  const starts = await client.query(
    ...FIRE({ fires: storableJson(fires), moves: storableJson(moves), now: sqlTimestamp(now) }),
  )
  const refusals = starts.flatMap(({ runId: _, outcome, ...key }) =>
    outcome.kind === 'accepted'
      ? []
      : [
          outcome.kind === 'rejected'
            ? { ...key, reason: outcome.error, hasRun: true }
            : { ...key, reason: `The workflow could not be started: ${outcome.kind}.`, hasRun: false },
        ],
  )
  if (refusals.length > 0) await client.query(...NOTE_REFUSALS({ refusals: storableJson(refusals) }))
  return starts
    .filter(({ outcome }) => outcome.kind === 'accepted')
    .map(({ runId }) => ({ lane: 'workflows', runId, slice: 0 }))
}

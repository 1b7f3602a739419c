import type { RunnableKind, RunSource, RunStatus } from '@troupe/agents/ports'
import {
  type AgentId,
  type AgentVersionId,
  type AnyRunId,
  type AnyRunnableId,
  checkedId,
  type ProjectId,
  RUNNABLE_IDS,
  RunId,
  type TeamId,
  type TeamVersionId,
  WorkflowId,
  WorkflowRunId,
  type WorkflowVersionId,
} from '@troupe/contract'
import type { WorkflowRunSource, WorkflowRunStatus } from '@troupe/workflows/ports'
import { boolean, json, nullable, number, text, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { type Placeholders, statement } from '../../sql/client/statement.ts'
import type { Observation } from '../port/observation.ts'
import type { ObservedKind } from '../port/run-list.ts'
import type { ReadableTexts } from '../port/run-trace.ts'
import { READABLE } from './readable-texts.ts'
import { millis } from './summary.ts'

type Parameter = 'organizationId' | 'runId'

/** A root run of an agent or a team, with further columns of `runs r`. */
const oneRun = (p: Placeholders<Parameter>, further: string) => `
select r.id as "runId", r.kind, r.entity_id as "entityId", r.project_id as "projectId", r.status, r.source,
  r.is_test as "isTest", ${further}
from runs r where r.id = ${p.runId}::uuid and r.organization_id = ${p.organizationId}::uuid and r.parent_run_id is null`

/** A run of a workflow, with further columns of `workflow_runs w`. */
const oneWorkflowRun = (p: Placeholders<Parameter>, further: string) => `
select w.id as "runId", 'workflow' as kind, w.workflow_id as "entityId", w.project_id as "projectId", w.status, w.source,
  w.kind = 'test' as "isTest", ${further}
from workflow_runs w where w.id = ${p.runId}::uuid and w.organization_id = ${p.organizationId}::uuid`

const SHARED = { projectId: nullable(uuid<ProjectId>()), isTest: boolean() }
const RUN = { ...SHARED, runId: uuid<RunId>(), entityId: uuid<AgentId | TeamId>() }
const WORKFLOW_RUN = { ...SHARED, runId: uuid<WorkflowRunId>(), entityId: uuid<WorkflowId>() }

const FIND_HEAD = statement<Parameter>(
  'find_run_head',
  (p) => `${oneRun(p, `${READABLE('r')} as readable`)}
union all${oneWorkflowRun(p, 'null')}`,
).returning({
  ...SHARED,
  runId: uuid<AnyRunId>(),
  entityId: uuid<AnyRunnableId>(),
  kind: text<ObservedKind>(),
  status: text<RunStatus | WorkflowRunStatus>(),
  source: text<RunSource | WorkflowRunSource>(),
  readable: nullable(json<ReadableTexts>()),
})

const FIND_REPEATABLE = statement<Parameter>('find_repeatable_run', (p) =>
  oneRun(p, 'r.entity_version_id as "versionId", r.input, r.tag'),
).returning({
  ...RUN,
  kind: text<RunnableKind>(),
  status: text<RunStatus>(),
  source: text<RunSource>(),
  versionId: uuid<AgentVersionId | TeamVersionId>(),
  input: nullable(text()),
  tag: nullable(text()),
})

const FIND_REPEATABLE_WORKFLOW = statement<Parameter>('find_repeatable_workflow_run', (p) =>
  oneWorkflowRun(
    p,
    `w.version_id as "versionId", w.input, w.fired_node_id as "firedNodeId",
  ${millis('w.scheduled_for')}::float8 as "scheduledFor"`,
  ),
).returning({
  ...WORKFLOW_RUN,
  kind: text<'workflow'>(),
  status: text<WorkflowRunStatus>(),
  source: text<WorkflowRunSource>(),
  versionId: uuid<WorkflowVersionId>(),
  input: json<unknown>(),
  firedNodeId: nullable(text()),
  scheduledFor: nullable(number()),
})

export function findRunHead(client: SqlClient): Observation['runHead'] {
  return async (organizationId, runId) => {
    const [row] = await client.query(...FIND_HEAD({ organizationId, runId }))
    if (!row) return null
    const { kind, ...head } = row
    if (kind === 'workflow') {
      const ids = {
        runId: checkedId(WorkflowRunId, row.runId),
        entityId: checkedId(WorkflowId, row.entityId),
      }
      return { ...head, kind, ...ids }
    }
    const entityId = checkedId(RUNNABLE_IDS[kind].id, row.entityId)
    return { ...head, kind, runId: checkedId(RunId, row.runId), entityId }
  }
}

export function findRepeatableRun(client: SqlClient): Observation['repeatableRun'] {
  return async (organizationId, runId) => {
    const [run] = await client.query(...FIND_REPEATABLE({ organizationId, runId }))
    if (run) return run
    const [workflowRun] = await client.query(...FIND_REPEATABLE_WORKFLOW({ organizationId, runId }))
    return workflowRun ?? null
  }
}

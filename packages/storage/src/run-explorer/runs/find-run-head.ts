import type { RunSource, RunStatus } from '@troupe/agents/ports'
import type { AnyId, ProjectId } from '@troupe/contract'
import type { WorkflowRunSource, WorkflowRunStatus } from '@troupe/workflows/ports'
import { boolean, json, nullable, text, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { type Placeholders, statement } from '../../sql/client/statement.ts'
import type { Observation } from '../port/observation.ts'
import type { RepeatableRun } from '../port/run-head.ts'
import type { ObservedKind } from '../port/run-list.ts'
import type { ReadableTexts } from '../port/run-trace.ts'
import { READABLE } from './readable-texts.ts'
import { millis } from './summary.ts'

type Parameter = 'organizationId' | 'runId'

/** One root run of any kind, with further columns of `runs r` or of `workflow_runs w`. */
const oneRun = (p: Placeholders<Parameter>, agents: string, workflows: string) => `
select r.id as "runId", r.kind, r.entity_id as "entityId", r.project_id as "projectId", r.status, r.source,
  r.is_test as "isTest", ${agents}
from runs r where r.id = ${p.runId}::uuid and r.organization_id = ${p.organizationId}::uuid and r.parent_run_id is null
union all
select w.id, 'workflow', w.workflow_id, w.project_id, w.status, w.source, w.kind = 'test', ${workflows}
from workflow_runs w where w.id = ${p.runId}::uuid and w.organization_id = ${p.organizationId}::uuid`

const FIND_HEAD = statement<Parameter>('find_run_head', (p) =>
  oneRun(p, `${READABLE('r')} as readable`, 'null'),
).returning({
  runId: uuid<AnyId>(),
  kind: text<ObservedKind>(),
  entityId: uuid<AnyId>(),
  projectId: nullable(uuid<ProjectId>()),
  status: text<RunStatus | WorkflowRunStatus>(),
  source: text<RunSource | WorkflowRunSource | 'playground'>(),
  isTest: boolean(),
  readable: nullable(json<ReadableTexts>()),
})

const FIND_REPEATABLE = statement<Parameter>('find_repeatable_run', (p) =>
  oneRun(
    p,
    `to_json(r.input) as input, r.entity_version_id as "versionId", r.tag, null::text as "firedNodeId",
  null::float8 as "scheduledFor"`,
    `w.input, w.version_id, null, w.fired_node_id, ${millis('w.scheduled_for')}::float8`,
  ),
)

export function findRunHead(client: SqlClient): Observation['runHead'] {
  return async (organizationId, runId) => {
    const [row] = await client.query(...FIND_HEAD({ organizationId, runId }))
    return row ?? null
  }
}

export function findRepeatableRun(client: SqlClient): Observation['repeatableRun'] {
  return async (organizationId, runId) => {
    const [row] = await client.query<RepeatableRun>(...FIND_REPEATABLE({ organizationId, runId }))
    return row ?? null
  }
}

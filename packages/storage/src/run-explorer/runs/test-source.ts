import type { WorkflowId, WorkflowVersionId } from '@troupe/contract'
import type { TestTerms, WorkflowRunSource, WorkflowRunStatus } from '@troupe/workflows/ports'
import { boolean, json, nullable, number, text, uuid } from '../../sql/client/columns.ts'
import type { SqlClient } from '../../sql/client/sql-client.ts'
import { statement } from '../../sql/client/statement.ts'
import { storableJson } from '../../sql/client/storable.ts'
import type { Observation } from '../port/observation.ts'
import type { SourceStep } from '../port/test-source.ts'

/** Maximum nodes of a graph, each in one of the requested frames. */
const MOST_NODES = 10_000
/** Maximum steps in other frames, which only show which effects are repeated. */
const MOST_OTHERS = 5_000
/** Maximum newest runs of a workflow for the average costs of its steps. */
const MOST_SAMPLES = 20

const STEP = `n.node_id, n.path, n.status, n.handles, n.seq from workflow_node_runs n where n.run_id = w.id`

const FIND = statement<'organizationId' | 'runId' | 'frames'>(
  'find_test_source',
  (p) => `
select w.workflow_id as "workflowId", w.version_id as "versionId", w.status, w.source, w.kind = 'test' as "isTest",
  (select n from workflow_versions where id = w.version_id) as "versionNumber",
  w.fired_node_id as "firedNodeId", w.input, coalesce(w.scope->'secretNames', '[]') as "secretNames",
  w.trace_erased as "traceErased", (extract(epoch from w.created_at) * 1000)::bigint as "createdAt",
  coalesce((
    select json_agg(json_build_object('nodeId', s.node_id, 'path', s.path, 'status', s.status, 'handles', s.handles,
      'iterations', coalesce(i.finished, 0)) order by s.seq, s.path, s.node_id)
    from (
      (select ${STEP} and n.path in (select json_array_elements_text(${p.frames}::json))
        order by n.seq, n.path, n.node_id limit ${MOST_NODES})
      union all
      (select ${STEP} and n.path not in (select json_array_elements_text(${p.frames}::json))
        order by n.seq, n.path, n.node_id limit ${MOST_OTHERS})
    ) s
    left join (
      select path, node_id, count(*)::int as finished from workflow_iterations where run_id = ${p.runId}::uuid group by path, node_id
    ) i on i.path = s.path and i.node_id = s.node_id
  ), '[]') as steps,
  (select count(*)::int from workflow_node_runs n where n.run_id = w.id) as "stepCount"
from workflow_runs w where w.id = ${p.runId}::uuid and w.organization_id = ${p.organizationId}::uuid`,
).returning({
  workflowId: uuid<WorkflowId>(),
  versionId: uuid<WorkflowVersionId>(),
  status: text<WorkflowRunStatus>(),
  source: text<WorkflowRunSource>(),
  isTest: boolean(),
  versionNumber: nullable(number()),
  firedNodeId: nullable(text()),
  input: json<unknown>(),
  secretNames: json<TestTerms['secretNames']>(),
  traceErased: boolean(),
  createdAt: number(),
  steps: json<SourceStep[]>(),
  stepCount: number(),
})

const SAMPLES = statement<'organizationId' | 'workflowId' | 'nodeIds'>(
  'sample_workflow_steps',
  (p) => `
with recent as (
  select r.id from unnest(array['completed', 'failed']) as s(status), lateral (
    select id, created_at from workflow_runs
    where organization_id = ${p.organizationId}::uuid and workflow_id = ${p.workflowId}::uuid and status = s.status
    order by created_at desc limit ${MOST_SAMPLES}
  ) r order by r.created_at desc limit ${MOST_SAMPLES}
), of_run as (
  select n.run_id, n.node_id, sum(n.input_tokens) as input_tokens, sum(n.output_tokens) as output_tokens,
    sum(extract(epoch from n.completed_at - n.started_at)) as seconds,
    sum((select sum(u.cost_micros) from usage_records u where u.run_id = n.agent_run_id)) as cost_micros
  from recent join workflow_node_runs n on n.run_id = recent.id
  where n.status = 'completed' and not n.seeded and n.node_id in (select json_array_elements_text(${p.nodeIds}::json))
  group by n.run_id, n.node_id
)
select node_id as "nodeId", count(*)::int as runs, avg(cost_micros)::float8 as "costMicros",
  avg(input_tokens)::float8 as "inputTokens", avg(output_tokens)::float8 as "outputTokens", avg(seconds)::float8 as seconds
from of_run group by node_id`,
).returning({
  nodeId: text(),
  runs: number(),
  costMicros: nullable(number()),
  inputTokens: number(),
  outputTokens: number(),
  seconds: number(),
})

export function findTestSource(client: SqlClient): Observation['testSource'] {
  return async (organizationId, runId, frames) => {
    const values = { organizationId, runId, frames: storableJson(frames) }
    const [row] = await client.query(...FIND(values))
    return row ?? null
  }
}

export function sampleSteps(client: SqlClient): Observation['stepSamples'] {
  return (organizationId, workflowId, nodeIds) =>
    client.query(...SAMPLES({ organizationId, workflowId, nodeIds: storableJson(nodeIds) }))
}

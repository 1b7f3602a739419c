import { randomUUID } from 'node:crypto'
import type { DatabaseOptions } from '@troupe/storage'
import { openDriver } from '@troupe/storage/testing'
import Fastify from 'fastify'
import { repeat } from '../load/closed-loop.ts'
import { type MeasuredWorkflow, WORKFLOWS } from './measured-workflows.ts'

/**
 * The floor of a workflow run: only the rows that it must commit. One statement inserts the run, one ends it
 * and inserts the rows of its nodes; tables, indexes, driver and pool are Troupe's. `/<id>/run` does this
 * once behind a bare route; `/<id>/loop` repeats it without HTTP and reports the rate.
 *
 * Arguments: port, `postgres:<url>` or `pglite:<folder>`.
 */
const [port, storage = ''] = process.argv.slice(2)

/** The same number of connections as Troupe. */
const POOL_SIZE = 20

const INSERT = {
  name: 'bare_insert',
  text: `insert into workflow_runs (id, organization_id, workflow_id, deployment_id, version_id, source, status, input,
    variables, worker_id, lease_until, created_at, started_at)
  values ($1::uuid, $2::uuid, $2::uuid, $2::uuid, $2::uuid, 'api_sync', 'running', $3::json, '{}', 'bare',
    now() + interval '30 s', now(), now())`,
}

const COMMIT = {
  name: 'bare_commit',
  text: `with run as (
    update workflow_runs set status = 'completed', output = $2::json, completed_at = now(), worker_id = null,
      lease_until = null
    where id = $1::uuid returning id, organization_id
  ), nodes as (
    insert into workflow_node_runs (run_id, organization_id, path, node_id, status, handles, output, seq, started_at,
      completed_at)
    select run.id, run.organization_id, g.path, g.node_id, 'completed', '{out}', g.output, g.seq, now(), now()
    from run, json_to_recordset($3::json) as g (path text, node_id text, output json, seq int)
  ), iterations as (
    insert into workflow_iterations (run_id, organization_id, path, node_id, idx, output)
    select run.id, run.organization_id, '', 'loop', g.idx, g.output
    from run, json_to_recordset($4::json) as g (idx int, output json)
  ) select id from run`,
}

const OUTPUT = { amount: 25 }

/** The rows of one run, built once: the floor does not include building them. */
function rowsOf({ nodeRows, iterationRows }: MeasuredWorkflow) {
  const nodes = Array.from({ length: nodeRows }, (_, at) => ({
    path: at < iterationRows ? `loop[${at}]` : '',
    node_id: `node${at}`,
    output: OUTPUT,
    seq: at + 1,
  }))
  const iterations = Array.from({ length: iterationRows }, (_, idx) => ({ idx, output: OUTPUT }))
  return { nodes: JSON.stringify(nodes), iterations: JSON.stringify(iterations) }
}

const options: DatabaseOptions = storage.startsWith('postgres:')
  ? { kind: 'postgres', url: storage.slice('postgres:'.length), poolSize: POOL_SIZE, replicas: true }
  : { kind: 'pglite', directory: storage.slice('pglite:'.length) }
const driver = await openDriver(options)
const app = Fastify()
const tenant = randomUUID()

for (const workflow of WORKFLOWS) {
  const { nodes, iterations } = rowsOf(workflow)
  const once = async () => {
    const id = randomUUID()
    await driver.query(INSERT, [id, tenant, JSON.stringify(OUTPUT)])
    await driver.query(COMMIT, [id, JSON.stringify(OUTPUT), nodes, iterations])
  }
  app.post(`/${workflow.id}/run`, async () => {
    await once()
    return { status: 'completed', output: OUTPUT }
  })
  app.post<{ Body: { callers: number; milliseconds: number } }>(`/${workflow.id}/loop`, ({ body }) =>
    repeat(once, body.callers, body.milliseconds),
  )
}

app.get('/ready', async () => ({ ok: true }))
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))

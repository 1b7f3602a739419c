import { freePort } from '@troupe/test-kit/free-port'
import { Pool } from 'undici'
import { type LoadResult, repeat } from '../load/closed-loop.ts'
import { startChild, untilReady } from './child.ts'
import { type MeasuredWorkflow, WORKFLOW_BODY } from './measured-workflows.ts'
import type { Troupe } from './troupe.ts'

/** A server that runs the benchmark's workflows, or performs the minimum work of such a run. */
export interface WorkflowTarget {
  name: string
  /** Its process id. */
  pid: number
  /** Runs closed-loop load with the given number of callers and duration. */
  load(workflow: MeasuredWorkflow, callers: number, milliseconds: number): Promise<LoadResult>
}

async function post(pool: Pool, path: string, headers: Record<string, string>, body: string) {
  const answer = await pool.request({ method: 'POST', path, headers, body })
  const text = await answer.body.text()
  // A failed run is answered with 200 too.
  if (answer.statusCode === 200 && text.includes('"status":"completed"')) return
  throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`)
}

/** Closed-loop load over HTTP on one path of each workflow. */
function routeTarget(
  name: string,
  pid: number,
  origin: string,
  pathOf: (workflow: MeasuredWorkflow) => string,
  headers: Record<string, string>,
): WorkflowTarget {
  return {
    name,
    pid,
    async load(workflow, callers, milliseconds) {
      const pool = new Pool(origin, { connections: callers, pipelining: 1 })
      const path = pathOf(workflow)
      try {
        return await repeat(() => post(pool, path, headers, WORKFLOW_BODY), callers, milliseconds)
      } finally {
        await pool.close()
      }
    },
  }
}

/** `POST /run` of a Troupe server. */
export function troupeTarget(name: string, { child, origin, headers }: Troupe): WorkflowTarget {
  return routeTarget(name, child.process.pid ?? 0, origin, ({ id }) => `/api/v1/workflows/${id}/run`, headers)
}

/**
 * The statements of a run, bare and behind a bare route, on a database of this kind. Disposing ends their
 * process.
 */
export async function startFloor(
  storage: string,
): Promise<{ statements: WorkflowTarget; route: WorkflowTarget } & AsyncDisposable> {
  const port = await freePort()
  const child = startChild('bench/src/targets/bare-workflow.ts', [String(port), storage], {})
  const origin = `http://127.0.0.1:${port}`
  const json = { 'content-type': 'application/json' }
  await untilReady(child, `${origin}/ready`).catch(async (error) => {
    await child[Symbol.asyncDispose]()
    throw error
  })
  const pid = child.process.pid ?? 0
  return {
    route: routeTarget('statements behind a route', pid, origin, ({ id }) => `/${id}/run`, json),
    statements: {
      name: 'statements (floor)',
      pid,
      async load({ id }, callers, milliseconds) {
        const body = JSON.stringify({ callers, milliseconds })
        const answer = await fetch(`${origin}/${id}/loop`, { method: 'POST', headers: json, body })
        if (!answer.ok) throw new Error(`the floor answered ${answer.status}: ${await answer.text()}`)
        return (await answer.json()) as LoadResult
      },
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

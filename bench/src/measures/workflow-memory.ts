import { readFile } from 'node:fs/promises'
import { freePort } from '@troupe/test-kit/free-port'
import { Pool } from 'undici'
import { type Inspector, type MemorySample, openInspector } from '../load/inspector.ts'
import { WORKFLOW_BODY, WORKFLOWS } from '../targets/measured-workflows.ts'
import { dataFolder, startTroupe, type Troupe } from '../targets/troupe.ts'

const RUNS = 100_000
const SAMPLE_EVERY = 5_000
/** Warm-up runs, during which code is compiled and caches fill. */
const WARM_UP = 10_000
const CALLERS = 16
const NO_MODEL = 'http://127.0.0.1:9/v1'

/** The server's memory after a number of runs. */
export interface MemoryRow extends MemorySample {
  runs: number
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

/**
 * Performs the given number of runs, then measures memory. The resident memory is read after the garbage
 * collection too.
 */
async function work(troupe: Troupe, pool: Pool, inspector: Inspector, runs: number): Promise<MemorySample> {
  const path = `/api/v1/workflows/${WORKFLOWS[0]?.id}/run`
  let sent = 0
  const caller = async () => {
    while (sent < runs) {
      sent++
      const answer = await pool.request({
        method: 'POST',
        path,
        headers: troupe.headers,
        body: WORKFLOW_BODY,
      })
      const text = await answer.body.text()
      if (!text.includes('"status":"completed"')) throw new Error(`${path} answered ${text.slice(0, 500)}`)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  const left = await inspector.heap()
  return { ...left, resident: await residentOf(troupe.child.process.pid ?? 0) }
}

/** Memory of the server over many runs of the smallest workflow; the first row is after the warm-up. */
export async function measureWorkflowMemory(databaseUrl: string | null): Promise<MemoryRow[]> {
  await using stack = new AsyncDisposableStack()
  const { path: folder } = stack.use(await dataFolder())
  const port = await freePort()
  const env = { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` }
  const troupe = stack.use(await startTroupe({ folder, modelUrl: NO_MODEL, databaseUrl, env }))
  const inspector = stack.use(await openInspector(port))
  const pool = new Pool(troupe.origin, { connections: CALLERS, pipelining: 1 })
  stack.defer(() => pool.destroy())
  const rows: MemoryRow[] = []
  rows.push({ runs: 0, ...(await work(troupe, pool, inspector, WARM_UP)) })
  for (let runs = SAMPLE_EVERY; runs <= RUNS; runs += SAMPLE_EVERY) {
    rows.push({ runs, ...(await work(troupe, pool, inspector, SAMPLE_EVERY)) })
  }
  return rows
}

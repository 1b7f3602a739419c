import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@troupe/test-kit/free-port'
import { AGENT_ID, API_KEY, bundle } from './bundle.ts'
import { type Child, startChild, untilReady } from './child.ts'

/** A running Troupe whose agent and teams use the bench's model server. */
export interface Troupe extends AsyncDisposable {
  child: Child
  origin: string
  headers: Record<string, string>
  runPath: string
  streamPath: string
  jobPath: string
  /** Milliseconds from the start of the process to the first 200 of `/readyz`. */
  startMs: number
}

/** A data folder that persists over several starts, so that a second start can be measured. */
export async function dataFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'troupe-bench-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/**
 * Starts Troupe from its real entry point, on PostgreSQL when `databaseUrl` is given, else on PGlite in the
 * folder.
 */
export async function startTroupe(options: {
  folder: string
  modelUrl: string
  databaseUrl: string | null
  /** Replaces the bundle used by the other measures. */
  bundle?: string
  /** Additional environment variables. */
  env?: Record<string, string>
}): Promise<Troupe> {
  const port = await freePort()
  const file = join(options.folder, 'bench-bundle.json')
  await writeFile(file, options.bundle ?? bundle(options.modelUrl))
  const child = startChild('apps/server/src/main.js', [], {
    PORT: String(port),
    TROUPE_DATA_DIR: join(options.folder, 'data'),
    TROUPE_BUNDLE: file,
    LOG_LEVEL: 'warn',
    WORKFLOW_LOOP_ITERATION_CEILING: '1000',
    ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}),
    ...options.env,
  })
  const origin = `http://127.0.0.1:${port}`
  const startMs = await untilReady(child, `${origin}/readyz`)
  return {
    child,
    origin,
    startMs,
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    runPath: `/api/v1/agents/${AGENT_ID}/run`,
    streamPath: `/api/v1/agents/${AGENT_ID}/run-stream`,
    jobPath: `/api/v1/agents/${AGENT_ID}/run-async`,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

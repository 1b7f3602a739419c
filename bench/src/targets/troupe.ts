import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, freePort, startChild, untilReady } from './child.ts'

const API_KEY = 'bench-key-0123456789'
const AGENT_ID = '0b8f6f0e-6a55-4a8e-9c5e-0d5a5f3f7f01'

/** A running Troupe with one agent that answers from the bench's model server. */
export interface Troupe extends AsyncDisposable {
  child: Child
  origin: string
  headers: Record<string, string>
  runPath: string
  streamPath: string
  /** Milliseconds from the start of the process to the first 200 of `/readyz`. */
  startMs: number
}

function bundle(modelUrl: string): string {
  return JSON.stringify({
    apiVersion: 'troupe/v1',
    organizations: [
      {
        slug: 'bench',
        name: 'Bench',
        limits: { rpm: 1_000_000_000 },
        apiKeys: [{ name: 'bench', secret: API_KEY }],
        llmConfigurations: [
          {
            slug: 'main',
            name: 'Main',
            providerId: 'openai-compatible',
            baseUrl: modelUrl,
            credentials: { apiKey: 'bench' },
            models: [{ modelId: 'bench-model', contextLength: 128_000, maxOutputTokens: 4_096 }],
          },
        ],
        agents: [{ slug: 'agent', id: AGENT_ID, name: 'Bench agent', status: 'active' }],
      },
    ],
  })
}

/** A data folder that outlives one start, so that a second start can be measured. */
export async function dataFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'troupe-bench-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Starts Troupe from its real entry point, on PostgreSQL when `databaseUrl` is given, else on PGlite in the folder. */
export async function startTroupe(options: {
  folder: string
  modelUrl: string
  databaseUrl: string | null
}): Promise<Troupe> {
  const port = await freePort()
  const file = join(options.folder, 'bench-bundle.json')
  await writeFile(file, bundle(options.modelUrl))
  const child = startChild('apps/server/src/main.ts', [], {
    PORT: String(port),
    TROUPE_DATA_DIR: join(options.folder, 'data'),
    TROUPE_BUNDLE: file,
    LOG_LEVEL: 'warn',
    ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}),
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
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

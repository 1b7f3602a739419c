import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@troupe/client'
import { freePort } from '@troupe/test-kit/free-port'
import { fetchModel } from './fetch-model.ts'
import { tour } from './tour.ts'

const SERVER = join(import.meta.dirname, '..', '..', 'apps', 'server', 'src', 'main.js')

function ending(child: ChildProcess): () => Promise<void> {
  const exited = once(child, 'exit')
  return async () => {
    child.kill('SIGTERM')
    await exited
  }
}

async function startModelServer(resources: AsyncDisposableStack): Promise<string> {
  const { weights, runtime } = await fetchModel()
  const program = join(import.meta.dirname, 'model-server.ts')
  const child = spawn(process.execPath, [program, runtime, weights], { stdio: ['ignore', 'pipe', 'inherit'] })
  resources.defer(ending(child))
  const [port] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [''])])
  if (String(port).trim() === '') throw new Error('the model server did not start')
  return `http://127.0.0.1:${String(port).trim()}/v1`
}

async function startTroupe(resources: AsyncDisposableStack, modelUrl: string, key: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-real-model-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    TROUPE_DATA_DIR: folder,
    TROUPE_BUNDLE: join(import.meta.dirname, 'bundle.yaml'),
    MODEL_URL: modelUrl,
    EXAMPLE_KEY: key,
  }
  const child = spawn(process.execPath, [SERVER], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  resources.defer(ending(child))
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error('the server did not start')
    const ready = await fetch(`${url}/readyz`).catch(() => null)
    if (ready?.ok) return url
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

await using resources = new AsyncDisposableStack()
const apiKey = randomBytes(24).toString('base64url')
process.stdout.write('Fetching the model, once (about 190 MB) …\n')
const modelUrl = await startModelServer(resources)
const baseUrl = await startTroupe(resources, modelUrl, apiKey)
await tour(createClient({ baseUrl, apiKey }), (text) => process.stdout.write(text))

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { propertyOf } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Program, startProgram } from './program.ts'
import { sandboxBundle } from './sandbox-bundle.ts'

const KEY = `deadly-${randomUUID()}`
const AGENT = randomUUID()
const WORKFLOW = randomUUID()
const PATIENT = { retry: { first_token_timeout_ms: 600_000, call_timeout_ms: 600_000 } }
const UNTIL_ASKED = { timeout: 30_000, interval: 50 }

const bundleOf = (model: ModelServer) =>
  sandboxBundle({
    key: KEY,
    agentId: AGENT,
    agentConfig: { model: PATIENT },
    modelUrl: model.url,
    workflows: [
      {
        slug: 'ask',
        name: 'Ask',
        id: WORKFLOW,
        publish: true,
        graph: {
          nodes: [
            node('start', 'manual-trigger'),
            node('ask', 'ai-prompt', { prompt: 'Think.', model: PATIENT }),
          ],
          edges: [edge('start', 'ask')],
        },
      },
    ],
  })

let folder: string
let env: Record<string, string>
let model: ModelServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-deadly-'))
  model = await startModelServer()
  // Every call lasts until its process is killed.
  model.respond(() => ({ hang: 'headers' }))
  const path = join(folder, 'bundle.yaml')
  env = { TROUPE_BUNDLE: path, TROUPE_ALLOWED_NETWORKS: 'loopback' }
  await writeFile(path, JSON.stringify(bundleOf(model)))
})
afterAll(async () => {
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

/** The response of the API to a call. */
async function call({ origin }: Program, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${origin}/api/v1${path}`, {
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return response.json()
}

test('a job and a workflow run that are killed with their process three times end with an error message', {
  timeout: 180_000,
}, async () => {
  const paths: string[] = []
  const polled = (program: Program) => Promise.all(paths.map((path) => call(program, path)))
  for (let kill = 1; kill <= 3; kill += 1) {
    await using program = await startProgram(folder, env)
    if (kill === 1) {
      const job = await call(program, `/agents/${AGENT}/run-async`, { message: 'Think.' })
      const run = await call(program, `/workflows/${WORKFLOW}/run-async`, { input: {} })
      paths.push(`/jobs/${propertyOf(job, 'jobId')}`, `/workflow-jobs/${propertyOf(run, 'executionId')}`)
    }
    // A status shows only that some process has started it; a call to the model shows that this one has.
    await expect.poll(() => model.requests.length, UNTIL_ASKED).toBe(2 * kill)
    expect(await polled(program)).toMatchObject([
      { status: 'running', error: null },
      { status: 'running', error: null },
    ])
    await program.end('SIGKILL')
  }
  await using program = await startProgram(folder, env)
  await expect
    .poll(() => polled(program), UNTIL_ASKED)
    .toMatchObject([
      { status: 'failed', error: 'The worker was lost 3 times at step 1.' },
      { status: 'failed', error: expect.stringMatching(/^Node ask failed: .+ 3 times/) },
    ])
  expect(model.requests).toHaveLength(6)
})

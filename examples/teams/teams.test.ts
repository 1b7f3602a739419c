import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const KEY = 'the-secret-of-the-four-teams'
const textOf = (file: string) => readFile(new URL(file, import.meta.url), 'utf8')
const README = await textOf('README.md')

/** Shell commands, followed by their output. */
const SHOWN = [
  ...README.matchAll(/^```sh\n(curl (?:(?!```).*\n)*)```\n\n```(json|text)\n((?:(?!```).*\n)*)```$/gm),
].map(([, lines = '', kind, output = '']) => ({ lines, kind, output }))
const APPLIED = [...README.matchAll(/^npm run troupe -- apply (examples\/teams\/(.+))$/gm)]

let server: TestServer
let url: string

beforeAll(async () => {
  server = await startTestServer()
  url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  for (const [, , file = ''] of APPLIED)
    expect(await apply(await textOf(file))).toMatchObject({ status: 200 })
})
afterAll(() => server[Symbol.asyncDispose]())

function apply(text: string) {
  return server.call('POST /api/builder/bundles', {
    key: null,
    headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/yaml' },
    body: text.replaceAll(`\${KEY}`, KEY),
  })
}

/** Fields that differ between runs. Token counts of the sandbox are words of prompts. */
const FLEETING = new Set([
  ...['runId', 'sessionId', 'userId', 'jobId', 'memberRunId', 'assigneeAgentId'],
  ...['createdAt', 'startedAt', 'completedAt', 'latencyMs', 'inputTokens', 'outputTokens'],
])

/** The output with its fleeting values replaced by their types, without insignificant white space. */
function stable(output: string, kind: string | undefined): unknown {
  if (kind === 'text') return output.trim().split(/\s*\n\s*/)
  return JSON.parse(output, (key, value) => (FLEETING.has(key) ? typeof value : value))
}

/** The output of the commands; a job that is not done is polled, as in the README. */
async function printed(lines: string, job: string | undefined): Promise<string> {
  const script = lines.replaceAll('http://localhost:3000', url)
  for (;;) {
    const { stdout } = await run('sh', ['-c', script], { env: { ...process.env, KEY, JOB: job } })
    if (!lines.includes('$JOB') || !/"status":"(queued|running)"/.test(stdout)) return stdout
  }
}

test('the README applies every bundle', () => {
  expect(APPLIED.map(([, , file]) => file)).toEqual([
    'handoff.yaml',
    'dynamic-delegation.yaml',
    'parallel.yaml',
    'plan-execute.yaml',
  ])
})

test('every curl of the README prints what is below it', async () => {
  expect(SHOWN).toHaveLength(README.match(/^curl /gm)?.length ?? 0)
  let job: string | undefined
  for (const { lines, kind, output } of SHOWN) {
    const text = await printed(lines, job)
    expect(stable(text, kind), lines).toEqual(stable(output, kind))
    job = /"jobId":"([^"]+)"/.exec(text)?.[1] ?? job
  }
})

test.for(APPLIED.map(([, , file = '']) => file))('%s can be pointed at a real provider', async (file) => {
  const sandbox = /^ +providerId: sandbox\n.*\n/m
  const text = await textOf(file)
  expect(text).toMatch(sandbox)
  const real = text
    .replace(sandbox, '')
    .replace(/^( +)# (providerId|credentials|models):/gm, '$1$2:')
    .replace(`\${ANTHROPIC_API_KEY}`, 'sk-of-the-test')
  expect((await apply(real)).status).toBe(200)
  const { body } = await server.call('GET /api/v1/agents/llm-providers', { key: KEY })
  expect(body).toMatchObject({ data: [{ providerId: 'anthropic' }] })
})

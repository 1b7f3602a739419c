import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { ECHO_GRAPH, seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CalledThing, SnippetStyle } from '../src/core/snippets/called-thing.ts'
import { type SnippetLanguage, snippet } from '../src/core/snippets/snippets.ts'

const PATIENCE_MS = 60_000
const MESSAGE = `What's "this"?`
const RUNNERS: Record<SnippetLanguage, { file: string; command: (path: string) => [string, string[]] }> = {
  curl: { file: 'ask.sh', command: (path) => ['sh', [path]] },
  typescript: { file: 'ask.ts', command: (path) => [process.execPath, [path]] },
  python: { file: 'ask.py', command: (path) => ['python3', [path]] },
}

let server: TestServer
let serverUrl = ''
let folder = ''
let teamId = ''
beforeAll(async () => {
  server = await startTestServer()
  serverUrl = await server.app.listen({ host: '127.0.0.1', port: 0 })
  folder = await mkdtemp(join(tmpdir(), 'troupe-snippets-'))
  const { organizationId } = server.seed
  teamId = (await seedTeam(server.context.database, { organizationId, projectId: null })).teamId
}, PATIENCE_MS)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await server?.[Symbol.asyncDispose]()
})

/** The output of the program, started as a user would. */
async function printed(thing: CalledThing, language: SnippetLanguage, style: SnippetStyle): Promise<string> {
  const { file, command } = RUNNERS[language]
  const path = join(folder, file)
  await writeFile(path, snippet(thing, language, style))
  const [program, parameters] = command(path)
  const env = { ...process.env, TROUPE_API_KEY: server.seed.keys.organization }
  const { stdout } = await promisify(execFile)(program, parameters, { env, timeout: PATIENCE_MS })
  return stdout
}

test.for([
  ['curl', 'answer'],
  ['curl', 'stream'],
  ['typescript', 'answer'],
  ['typescript', 'stream'],
  ['python', 'answer'],
  ['python', 'stream'],
  ['typescript', 'job'],
  ['python', 'job'],
] as const)('the program in %s (%s) calls an agent as shown', { timeout: PATIENCE_MS }, async ([
  language,
  style,
]) => {
  const agent = { kind: 'agent', id: server.seed.agents.organization, serverUrl, message: MESSAGE } as const
  const output = await printed(agent, language, style)
  // The sandbox echoes its question.
  expect(output.replaceAll('\\"', '"')).toContain(
    style === 'stream' && language === 'curl' ? 'RunCompleted' : MESSAGE,
  )
})

test('a team is called as shown', { timeout: PATIENCE_MS }, async () => {
  const team = { kind: 'team', id: teamId, serverUrl, message: MESSAGE } as const
  expect(await printed(team, 'typescript', 'answer')).not.toBe('')
  expect(await printed(team, 'curl', 'stream')).toContain('RunCompleted')
})

test.for(['typescript', 'python'] as const)('a workflow is run as it is shown in %s, at once and as a job', {
  timeout: PATIENCE_MS,
}, async (language) => {
  const { organizationId } = server.seed
  const id = await seedWorkflow(server.context.database, {
    ...{ organizationId, projectId: null, name: 'Echo', graph: ECHO_GRAPH },
  })
  const workflow = { kind: 'workflow', id, serverUrl, message: MESSAGE } as const
  expect(await printed(workflow, language, 'answer')).not.toBe('')
  expect(await printed(workflow, language, 'job')).toContain('completed')
})

test('a program with a wrong key reports the reason of the refusal', { timeout: PATIENCE_MS }, async () => {
  const agent = { kind: 'agent', id: server.seed.agents.organization, serverUrl, message: MESSAGE } as const
  const path = join(folder, 'wrong.ts')
  await writeFile(path, snippet(agent, 'typescript', 'answer'))
  const env = { ...process.env, TROUPE_API_KEY: 'wrong' }
  await expect(promisify(execFile)(process.execPath, [path], { env })).rejects.toThrow(/unauthorized/)
})

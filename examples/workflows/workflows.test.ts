import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { checkedId, WorkflowId } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const run = promisify(execFile)
const KEY = 'the-secret-of-the-workflows'
const EVENTUALLY = { timeout: 15_000 }
const textOf = (file: string) => readFile(new URL(file, import.meta.url), 'utf8')
const README = await textOf('README.md')
/** Documents that show commands with their output. */
const DOCUMENTS = ['README.md', '../../docs/guides/workflows.md']

/** Shell commands, followed by their output. */
const shownIn = (document: string) =>
  [...document.matchAll(/^```sh\n(curl (?:(?!```).*\n)*)```\n\n```json\n((?:(?!```).*\n)*)```$/gm)].map(
    ([, lines = '', output = '']) => ({ lines, output }),
  )
const APPLIED = [...README.matchAll(/^npm run troupe -- apply examples\/workflows\/(.+)$/gm)].map(
  ([, file = '']) => file,
)

let server: TestServer
let url: string

beforeAll(async () => {
  server = await startTestServer()
  url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  for (const file of APPLIED) expect(await apply(await textOf(file))).toMatchObject({ status: 200 })
})
afterAll(() => server[Symbol.asyncDispose]())

function apply(text: string) {
  return server.call('POST /api/builder/bundles', {
    key: null,
    headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/yaml' },
    body: text.replaceAll(`\${KEY}`, KEY),
  })
}

/** Fields that differ between runs. */
const FLEETING = new Set([
  'executionId',
  'createdAt',
  'startedAt',
  'completedAt',
  'reviewId',
  'expiresAt',
  'decidedAt',
  'id',
])

/** The output with its fleeting values replaced by their types. */
const stable = (output: string) =>
  JSON.parse(output, (key, value) => (FLEETING.has(key) && value !== null ? typeof value : value))

/** The output of the commands; a run that is not done is polled. */
async function printed(lines: string, named: Record<string, string>): Promise<string> {
  const script = lines.replaceAll('http://localhost:3000', url)
  for (;;) {
    const { stdout } = await run('sh', ['-c', script], { env: { ...process.env, KEY, ...named } })
    // A request for the result of a run in progress is refused.
    const isUnderWay = /"status":"(queued|running)"|"not_finished"/.test(stdout)
    if (!lines.includes('$JOB') || !isUnderWay) return stdout
  }
}

test('the README applies every bundle', async () => {
  const files = await readdir(new URL('.', import.meta.url))
  expect(APPLIED.toSorted()).toEqual(files.filter((file) => file.endsWith('.yaml')).toSorted())
})

test.each(DOCUMENTS)('every curl of %s prints what is below it', async (document) => {
  const text = await textOf(document)
  const shown = shownIn(text)
  expect(shown.length).toBeGreaterThan(5)
  expect(shown).toHaveLength(text.match(/^curl /gm)?.length ?? 0)
  const named: Record<string, string> = {}
  for (const { lines, output } of shown) {
    const print = await printed(lines, named)
    expect(stable(print), lines).toEqual(stable(output))
    for (const [name, key] of Object.entries({ JOB: 'executionId', REVIEW: 'reviewId' })) {
      const [, id] = new RegExp(`"${key}":"([^"]+)"`).exec(print) ?? []
      if (id !== undefined) named[name] = id
    }
  }
})

test('applying every bundle again changes nothing', async () => {
  for (const file of APPLIED) {
    const { body } = await apply(await textOf(file))
    const [organization] = (body as { organizations: { workflows: unknown }[] }).organizations
    expect([file, organization?.workflows]).toEqual([file, { created: 0, updated: 0, unchanged: 1 }])
  }
})

test('the bundles with a model can be pointed at a real provider', async () => {
  const sandbox = /^ +providerId: sandbox\n.*\n/m
  const texts = await Promise.all(APPLIED.map(textOf))
  const withModel = texts.filter((text) => sandbox.test(text))
  expect(withModel).toHaveLength(5)
  for (const text of withModel) {
    const real = text
      .replace(sandbox, '')
      .replace(/^( +)# (providerId|credentials|models):/gm, '$1$2:')
      .replace(`\${ANTHROPIC_API_KEY}`, 'sk-of-the-test')
    expect((await apply(real)).status).toBe(200)
  }
})

// The time of the report is moved, so that the test need not wait for a morning.
test('the schedule starts a report by itself, with the same outcome', async () => {
  const workflowId = checkedId(WorkflowId, 'f1000000-0000-4000-8000-000000000009')
  const { database, scheduler } = server.context
  const workshop = await database.read.organizations.bySlug('workshop')
  if (!workshop) throw new Error('the bundles have made no workshop')
  const [schedule] = await database.read.schedules.ofWorkflow(workshop.id, workflowId)
  if (!schedule) throw new Error('the schedule was not published')
  const { config, overlap, catchUp, nodeId } = schedule
  const due = { config, overlap, catchUp, nodeId, nextFireAt: Date.now() - 1_000 }
  await database.transaction(({ write }) =>
    write.schedules.replace({ organizationId: workshop.id, workflowId }, [due], {
      publishedAt: Date.now() - 2_000,
      isNewVersion: true,
    }),
  )
  const fire = await vi.waitFor(async () => {
    await scheduler.turn()
    const [first] = await database.read.schedules.fires(workshop.id, workflowId, 1)
    expect(first).toMatchObject({ nodeId: 'mornings', outcome: 'fired' })
    return first
  }, EVENTUALLY)
  await vi.waitFor(async () => {
    const { body } = await server.call(`GET /api/v1/workflow-jobs/${fire?.executionId}/result`, { key: KEY })
    expect(body).toMatchObject({ status: 'completed', output: { order: 'oak', left: 4 } })
  }, EVENTUALLY)
})

import { isJsonObject, propertyOf } from '@troupe/contract'
import type { MemberReviewDetail } from '@troupe/contract/builder'
import { ownOrigin, seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TEMPLATES } from '../../src/core/workflows/templates/gallery.ts'
import type { WorkflowTemplate } from '../../src/core/workflows/templates/template.ts'
import { Maker } from '../one-of-each/maker.ts'
import { ENDS, type MadeWorkflow, makeFromTemplate, testTemplate } from './made-templates.ts'

let here: Place
let there: Place
beforeAll(async () => {
  here = await placeOf(await startTestServer())
  there = await placeOf(await startTestServer())
}, 300_000)
afterAll(async () => {
  await here?.server[Symbol.asyncDispose]()
  await there?.server[Symbol.asyncDispose]()
})

interface Place {
  server: TestServer
  maker: Maker
  /** Approves the open reviews of a workflow, as the tester: nobody else sees those of tests. */
  approveAll(workflowId: string): Promise<void>
}

async function placeOf(server: TestServer): Promise<Place> {
  const { organizationId } = server.seed
  const person = await seedPerson(server.context.database, { organizationId, role: 'admin' })
  const headers = { cookie: await signIn(server, person), origin: ownOrigin(server) }
  const maker = new Maker(server, organizationId, headers)
  return {
    server,
    maker,
    async approveAll(workflowId) {
      for (const review of rowsOf(await maker.ask('listReviews', { status: 'open', workflowId }))) {
        const reviewId = String(propertyOf(review, 'reviewId'))
        const { revision, fields } = (await maker.ask('getReview', { reviewId })) as MemberReviewDetail
        const missing = fields.filter(({ value }) => value === null || value === '')
        const data = missing.map(({ name, type }) => [name, type === 'number' ? 17 : 'By a person'])
        const body = { decision: 'approve', revision, data: Object.fromEntries(data) }
        await maker.ask('decideReview', { reviewId }, body)
      }
    },
  }
}

/** Tests wait for runs more than for processors. A user may have three tests in flight. */
async function inParallel<T>(all: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const work = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await run(one)
  }
  await Promise.all(Array.from({ length: 3 }, work))
}

const rowsOf = (page: unknown): unknown[] => {
  const data = propertyOf(page, 'data')
  return Array.isArray(data) ? data : []
}

/** Tests a workflow to its end, saves the run as a test case, and returns the result of the case after its run. */
async function caseOf(place: Place, made: MadeWorkflow, template: WorkflowTemplate): Promise<unknown> {
  const { maker } = place
  const { workflowId, draftRevision } = made
  const statusOf = async (runId: string) => propertyOf(await maker.ask('getRun', { runId }), 'status')
  const fromRunId = await testTemplate(maker, made, template)
  await expect.poll(() => statusOf(fromRunId), { timeout: 60_000 }).toBe(ENDS[template.id])
  if (ENDS[template.id] === 'awaiting_approval') await place.approveAll(workflowId)
  await expect.poll(() => statusOf(fromRunId), { timeout: 60_000 }).toBe('completed')
  const one = await maker.ask('createTestCase', { workflowId }, { fromRunId, blocking: true })
  const testCaseId = String(propertyOf(one, 'testCaseId'))
  const started = await maker.ask('runTestCase', { workflowId, testCaseId }, { draftRevision })
  const runId = String(propertyOf(started, 'executionId'))
  await expect.poll(() => statusOf(runId), { timeout: 60_000 }).toBe('completed')
  await maker.ask('publishWorkflow', { workflowId }, { draftRevision })
  const cases = rowsOf(await maker.ask('listTestCases', { workflowId }))
  return propertyOf(cases[0], 'result')
}

/** The drafts of all workflows by name, with the names of referenced resources instead of ids. */
async function draftsOf({ maker }: Place, projectId: string): Promise<Map<string, unknown>> {
  const names = new Map<unknown, unknown>()
  for (const [list, id] of [
    ['listAgents', 'agentId'],
    ['listTeams', 'teamId'],
  ] as const) {
    for (const one of rowsOf(await maker.ask(list, { limit: '100' })))
      names.set(propertyOf(one, id), propertyOf(one, 'name'))
  }
  const withNames = (_key: string, value: unknown) => names.get(value) ?? value
  const drafts = new Map<string, unknown>()
  for (const row of rowsOf(await maker.ask('listWorkflows', { limit: '100' }))) {
    if (String(propertyOf(row, 'projectId')) !== projectId) continue
    const workflowId = String(propertyOf(row, 'workflowId'))
    const whole = await maker.ask('getWorkflow', { workflowId })
    drafts.set(
      String(propertyOf(whole, 'name')),
      JSON.parse(JSON.stringify(propertyOf(whole, 'draft'), withNames)),
    )
  }
  return drafts
}

test('every template is the same graph in another project of another instance, and its test case passes here and there', async () => {
  const made = new Map<WorkflowTemplate, MadeWorkflow>()
  for (const template of TEMPLATES) made.set(template, await makeFromTemplate(here.maker, template))
  await inParallel([...made], async ([template, workflow]) =>
    expect(await caseOf(here, workflow, template), template.name).toMatchObject({
      verdict: 'passed',
      differences: [],
    }),
  )
  const include = [...made.values()].map(({ workflowId }) => `workflow:${workflowId}`)
  const bundle = String(await here.maker.ask('exportOrganizationBundle', { include: include.join(',') }))
  expect(bundle).not.toContain(here.server.adminToken)
  const [before = '', workflows = ''] = bundle.split('    workflows:\n')
  // Without ids, so that the second application creates separate workflows.
  const inProject = workflows
    .replaceAll(/^ {8}id: .*\n/gm, '        project: mine\n')
    .replaceAll(/^( {6}- slug: .*)$/gm, '$1-mine')
  for (const text of [bundle, `${before}    workflows:\n${inProject}`])
    await there.maker.ask('applyOrganizationBundle', {}, { text, adopt: true })

  const drafts = await draftsOf(here, 'null')
  expect(drafts.size).toBe(TEMPLATES.length)
  for (const projectId of ['null', there.server.seed.projectId]) {
    const applied = await draftsOf(there, projectId)
    expect(applied).toEqual(drafts)
  }
  const rows = rowsOf(await there.maker.ask('listWorkflows', { limit: '100' })).filter(isJsonObject)
  expect(rows).toHaveLength(TEMPLATES.length * 2)
  await inParallel(
    rows.filter(({ projectId }) => projectId !== null),
    async (row) => {
      const template = TEMPLATES.find(({ name }) => name === row.name)
      const whole = await there.maker.ask('getWorkflow', { workflowId: String(row.workflowId) })
      if (!template) throw new Error(`${String(row.name)} is no template`)
      const result = await caseOf(there, whole as MadeWorkflow, template)
      expect(result, template.name).toMatchObject({ verdict: 'passed' })
    },
  )
}, 300_000)

import type { PresentTab } from '@troupe/contract/builder'
import { ChangeWatch } from '@troupe/operations/events/change-watch'
import { watchedTopics } from '@troupe/operations/events/topics'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, asOperator, type BuilderClient } from './builder-caller.ts'
import { LOSSES_OF_ACCESS } from './lost-access.ts'

let server: TestServer
let owner: Awaited<ReturnType<typeof asMember>>
beforeAll(async () => {
  server = await startTestServer()
  owner = await asMember(server, 'owner', 'Olga')
})
afterAll(() => server[Symbol.asyncDispose]())

const newWorkflow = async () =>
  String(
    ((await owner.send('POST /workflows', { name: 'Orders' })).body as { workflowId: string }).workflowId,
  )

async function share(as: BuilderClient, workflowId: string, body: object) {
  const { status, body: answer } = await as.send(`POST /workflows/${workflowId}/presence`, body)
  return { status, tabs: (answer as { data?: PresentTab[] }).data ?? [] }
}
const seen = (tabs: readonly PresentTab[]) => tabs.map(({ name, nodeId }) => `${name} at ${nodeId}`)
const tab = () => ({ tabId: crypto.randomUUID() })

test('members and viewers see each other and their steps, even after a step, until they leave', async () => {
  const workflowId = await newWorkflow()
  const [ana, vera] = [await asMember(server, 'member', 'Ana'), await asMember(server, 'viewer', 'Vera')]
  const [anas, veras] = [tab(), tab()]
  await share(ana, workflowId, { ...anas, nodeId: 'start' })
  expect(seen((await share(vera, workflowId, veras)).tabs)).toEqual(['Ana at start', 'Vera at null'])
  expect(seen((await share(ana, workflowId, { ...anas, nodeId: 'look' })).tabs)[0]).toBe('Ana at look')
  // Nobody moves or removes another user's tab.
  await share(vera, workflowId, { ...anas, nodeId: 'taken' })
  await share(vera, workflowId, { ...anas, isLeaving: true })
  expect(seen((await share(vera, workflowId, veras)).tabs)).toEqual(['Ana at look', 'Vera at null'])
  await share(ana, workflowId, { ...anas, isLeaving: true })
  expect(seen((await share(vera, workflowId, veras)).tabs)).toEqual(['Vera at null'])
  // The operator is not a user.
  expect(seen((await share(asOperator(server), workflowId, tab())).tabs)).toEqual(['Vera at null'])
})

test.each(LOSSES_OF_ACCESS)('a user who %s is no longer shown', async (_name, lose) => {
  const workflowId = await newWorkflow()
  const ana = await asMember(server, 'member', 'Ana')
  await share(ana, workflowId, tab())
  expect((await share(owner, workflowId, { ...tab(), isLeaving: true })).tabs).toHaveLength(1)
  await lose(ana, { server, owner })
  expect((await share(owner, workflowId, { ...tab(), isLeaving: true })).tabs).toEqual([])
})

test('nothing crosses organizations, and unknown or deleted workflows get no response', async () => {
  const workflowId = await newWorkflow()
  await share(owner, workflowId, tab())
  const stranger = await asMember(server, 'owner', 'Stranger', server.seed.otherOrganizationId)
  for (const id of [workflowId, crypto.randomUUID(), 'none']) {
    expect((await share(stranger, id, tab())).status).toBe(404)
  }
  expect(seen((await share(owner, workflowId, { ...tab(), isLeaving: true })).tabs)).toEqual(['Olga at null'])
  expect((await share(owner, workflowId, { tabId: 'mine' })).status).toBe(400)
  expect((await share(owner, workflowId, { ...tab(), nodeId: 'x'.repeat(301) })).status).toBe(400)
  await owner.send(`DELETE /workflows/${workflowId}`)
  expect((await share(owner, workflowId, tab())).status).toBe(404)
})

test('a user has at most 16 visible tabs', async () => {
  const workflowId = await newWorkflow()
  const many = await asMember(server, 'member', 'Many')
  for (let at = 0; at < 18; at++) await share(many, workflowId, tab())
  expect((await share(many, workflowId, { ...tab(), isLeaving: true })).tabs).toHaveLength(16)
})

test('the topic of a workflow reports users who join, open a step or leave, but no heartbeats', async () => {
  const workflowId = await newWorkflow()
  const ana = await asMember(server, 'member', 'Ana')
  const events: string[] = []
  const onError = (error: unknown) => events.push(String(error))
  const watch = new ChangeWatch({ database: server.context.database, onError })
  const { organizationId } = server.seed
  const leave = watch.add({
    caller: { organizationId, projectId: null, role: 'owner', userId: null, actor: OPERATOR },
    sessionId: null,
    topics: watchedTopics(`presence:${workflowId}`),
    send: ({ event, topic }) => events.push(topic ?? event),
    close: () => undefined,
  })
  const told = async () => {
    await watch.poll()
    return events.splice(0)
  }
  await expect.poll(() => events.splice(0)).toEqual(['ready'])
  const anas = tab()
  const topic = `presence:${workflowId}`
  const changesOf = async (body: object) => {
    await share(ana, workflowId, body)
    await expect.poll(told).toEqual([topic])
  }
  await changesOf(anas)
  await changesOf({ ...anas, nodeId: 'start' })
  await share(ana, workflowId, { ...anas, nodeId: 'start' })
  expect(await told()).toEqual([])
  await changesOf({ ...anas, isLeaving: true })
  leave()
})

const OPERATOR = { kind: 'operator', id: null, ip: null, requestId: null } as const

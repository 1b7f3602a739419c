import type { OPERATIONS, ResultOf } from '@troupe/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'

type Usage = ResultOf<(typeof OPERATIONS)['getUsage']>['data']

let setting: RunSetting
beforeAll(async () => {
  setting = await startRunSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

async function usage(query: string, key?: string): Promise<Usage> {
  const { status, body } = await setting.server.call(`GET /api/v1/usage${query}`, key ? { key } : {})
  expect([status, body]).toMatchObject([200, {}])
  return (body as { data: Usage }).data
}

test('a run is in the report as soon as it has ended, in each dimension and with its price', async () => {
  const { agentId } = await setting.agent({}, { name: 'Reporter' })
  setting.model.script({ text: 'Hi', usage: { inputTokens: 100, outputTokens: 10, cachedTokens: 60 } })
  const answer = await setting.run(agentId, { message: 'Hello', user_id: 'ana', tag: 'blue' })
  expect(answer.status).toBe(200)
  const sums = { runs: 1, modelCalls: 1, inputTokens: 100, cachedInputTokens: 60, outputTokens: 10 }
  const today = new Date().toISOString().slice(0, 10)
  // A dollar and two dollars for a million tokens; no separate price for cached ones.
  const row = { voiceMinutes: 0, ...sums, costUsd: 0.00012 }
  expect(await usage('')).toEqual([{ ...row, key: today, name: today }])
  expect(await usage('?group_by=agent')).toEqual([{ ...row, key: agentId, name: 'Reporter' }])
  expect(await usage('?group_by=team')).toEqual([{ ...row, key: null, name: null }])
  expect(await usage('?group_by=workflow')).toEqual([{ ...row, key: null, name: null }])
  expect(await usage('?group_by=model')).toEqual([{ ...row, key: 'scripted-1', name: 'scripted-1' }])
  expect(await usage('?group_by=user')).toEqual([{ ...row, key: 'ana', name: 'ana' }])
  expect(await usage('?group_by=tag')).toEqual([{ ...row, key: 'blue', name: 'blue' }])
  expect(await usage('?group_by=key')).toMatchObject([{ ...row, name: expect.stringMatching(/./) }])
})

test('a key of a project sees its project, and another organization nothing', async () => {
  const { keys, agents } = setting.server.seed
  const body = { message: 'Hello', user_id: 'of the project' }
  await setting.server.call(`POST /api/v1/agents/${agents.project}/run`, { body, key: keys.project })
  const users = async (key: string) => (await usage('?group_by=user', key)).map(({ key: user }) => user)
  expect(await users(keys.project)).toEqual(['of the project'])
  expect(await users(keys.otherProject)).toEqual([])
  expect(await users(keys.otherOrganization)).toEqual([])
  expect((await users(keys.organization)).toSorted()).toEqual(['ana', 'of the project'])
  // The sandbox has no prices.
  expect(await usage('', keys.project)).toMatchObject([{ costUsd: null }])
})

test.each([
  ['?from=2026-02-30', 'from'],
  ['?from=2026-02-02&to=2026-02-01', 'from'],
  ['?from=2025-01-01&to=2026-02-05', 'from'],
  ['?from=0001-01-01&to=0001-01-01', 'from'],
  ['?to=tomorrow', 'to'],
  ['?group_by=colour', 'group_by'],
])('%s is refused', async (query, path) => {
  const { status, body } = await setting.server.call(`GET /api/v1/usage${query}`)
  expect([status, body]).toMatchObject([400, { errors: [{ path: expect.stringContaining(path) }] }])
})

test('400 days are reported', async () => {
  expect(await usage('?from=2025-01-01&to=2026-02-04')).toEqual([])
})

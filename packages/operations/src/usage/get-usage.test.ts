import { checkedId, OrganizationId } from '@troupe/contract'
import type { UsageStore } from '@troupe/storage'
import { expect, test } from 'vitest'
import { getUsage } from './get-usage.ts'

const KEYS = 1_500
const scope = {
  organizationId: checkedId(OrganizationId, '00000000-0000-4000-8000-000000000001'),
  projectId: null,
}
const people = Array.from({ length: KEYS }, (_, index) => `person-${index}`)

type Report = Parameters<UsageStore['voiceSeconds']>[1]
const among = (keys: string[], { keys: some, limit }: Report) =>
  keys.filter((key) => some === undefined || some.includes(key)).slice(0, limit)

/** The user with the most tokens has spoken the least. */
const usage: Pick<UsageStore, 'sums' | 'voiceSeconds'> = {
  sums: async (_scope, report) =>
    among(people, { ...report, groupBy: 'user' }).map((key) => ({
      ...{ key, name: key, runs: 1, modelCalls: 1, failedCalls: 0 },
      ...{ inputTokens: 1, cachedTokens: 0, outputTokens: 1, costMicros: null },
    })),
  voiceSeconds: async (_scope, report) =>
    among(people.toReversed(), report).map((key) => ({ key, name: key, seconds: 60 })),
}

test('every key of a truncated report has its voice minutes', async () => {
  const { data } = await getUsage(usage, scope, { group_by: 'user' }, Date.now())
  expect(data.map(({ key }) => key)).toEqual(people.slice(0, 1_000))
  expect(data.every(({ voiceMinutes }) => voiceMinutes === 1)).toBe(true)
})

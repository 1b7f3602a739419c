import { checkedId, OrganizationId } from '@troupe/contract'
import type { UsageStore, UsageSum } from '@troupe/storage'
import { expect, test, vi } from 'vitest'
import { getUsageReport } from './get-usage-report.ts'

type Report = Parameters<UsageStore['voiceSeconds']>[1]

/** Usage per person: the more a person has spoken, the fewer tokens they have. */
const PEOPLE = ['ana', 'ben', 'cem', 'dee'].map((key, index) => ({
  key,
  name: key,
  seconds: 60 * (4 - index),
  tokens: 1 + index,
}))

/** The rows of a report, the largest first. */
function reported<Row extends { key: string }>(rows: Row[], { keys, limit }: Report): Row[] {
  return rows.filter(({ key }) => keys === undefined || keys.includes(key)).slice(0, limit)
}

function sumOf({ key, name, tokens }: (typeof PEOPLE)[number]): UsageSum & { key: string } {
  const calls = { runs: 1, modelCalls: 1, failedCalls: 0, cachedTokens: 0, outputTokens: 0 }
  return { key, name, ...calls, inputTokens: tokens, costMicros: tokens * 1_000_000 }
}

const usage: Pick<UsageStore, 'sums' | 'days' | 'voiceSeconds' | 'voiceDays'> = {
  sums: async (_scope, report) =>
    report.groupBy === 'day' ? [] : reported(PEOPLE.toReversed().map(sumOf), { ...report, groupBy: 'user' }),
  voiceSeconds: async (_scope, report) =>
    report.groupBy === 'user'
      ? reported(
          PEOPLE.map(({ tokens: _, ...spoken }) => spoken),
          report,
        )
      : [],
  days: async () => [],
  voiceDays: async () => [],
}
const caller = {
  organizationId: checkedId(OrganizationId, '00000000-0000-4000-8000-000000000001'),
  projectId: null,
  role: 'owner' as const,
  userId: null,
  actor: { kind: 'operator' as const, id: null, ip: null, requestId: null },
}

test.each([
  ['voice', ['ana', 'ben']],
  ['tokens', ['dee', 'cem']],
] as const)('the groups of a report limited by %s have all of their amounts', async (metric, shown) => {
  const { data, isCut } = await getUsageReport(usage, caller, { groupBy: 'user', metric }, Date.now(), 2)
  expect(isCut).toBe(true)
  const amounts = (key: string) => {
    const { seconds = 0, tokens = 0 } = PEOPLE.find((one) => one.key === key) ?? {}
    return { key, inputTokens: tokens, costUsd: tokens, voiceMinutes: seconds / 60 }
  }
  expect(data).toMatchObject(shown.map(amounts))
})

test.each([
  ['a group that has no voice', 'model', 2, 1, 0],
  ['lists that are not cut', 'user', 4, 1, 1],
  ['lists that are cut within the same groups', 'user', 3, 1, 1],
  ['lists that are cut within other groups', 'user', 2, 1, 2],
] as const)('%s: groups are read again only if some are missing', async (_, groupBy, most, calls, spoken) => {
  const [sums, voiceSeconds] = [vi.fn(usage.sums), vi.fn(usage.voiceSeconds)]
  await getUsageReport({ ...usage, sums, voiceSeconds }, caller, { groupBy }, Date.now(), most)
  const ofGroups = ({ mock }: typeof sums | typeof voiceSeconds) =>
    mock.calls.filter(([, report]) => report.groupBy !== 'day').length
  expect([ofGroups(sums), ofGroups(voiceSeconds)]).toEqual([calls, spoken])
})

import { newId, OrganizationId, PhoneTrunkId } from '@troupe/contract'
import { expect, test } from 'vitest'
import type { CallAlert } from './call-alerts.ts'
import type { TrunkTraffic } from './call-store.ts'
import { CallWatch } from './call-watch.ts'

const HOUR_MS = 60 * 60_000
const QUIET = { answered: 3, short: 0, talkedS: 400, busiestTalkedS: 0 }

function watchOver(...hours: Partial<TrunkTraffic>[]) {
  const where = { organizationId: newId(OrganizationId), trunkId: newId(PhoneTrunkId) }
  const raised: CallAlert[] = []
  let time = Date.parse('2026-11-23T12:00:00Z')
  const calls = {
    traffic: async () => hours.map((hour) => ({ ...where, ...QUIET, ...hour }) as TrunkTraffic),
  }
  const watch = new CallWatch(calls, { raise: (alert) => void raised.push(alert) }, () => time)
  const pass = (ms: number) => {
    time += ms
  }
  return { watch, raised, pass, where }
}

const kindsOf = async (hour: Partial<TrunkTraffic>) => {
  const { watch, raised } = watchOver(hour)
  await watch.look()
  return raised.map(({ kind }) => kind)
}

test('an hour in which more than a fifth of at least ten answered calls ended within six seconds raises an alert', async () => {
  expect(await kindsOf({ answered: 10, short: 3 })).toEqual(['short_calls'])
  expect(await kindsOf({ answered: 10, short: 2 })).toEqual([])
  expect(await kindsOf({ answered: 9, short: 9 })).toEqual([])
})

test('more than an hour of conversation raises an alert when it is twice the busiest hour of the week before', async () => {
  expect(await kindsOf({ talkedS: 3_601 })).toEqual(['unusual_spend'])
  expect(await kindsOf({ talkedS: 3_600 })).toEqual([])
  expect(await kindsOf({ talkedS: 10_000, busiestTalkedS: 5_000 })).toEqual([])
  expect(await kindsOf({ talkedS: 10_001, busiestTalkedS: 5_000 })).toEqual(['unusual_spend'])
})

test('an alert has its figures, and is repeated after an hour at the earliest', async () => {
  const { watch, raised, pass, where } = watchOver({ talkedS: 7_200, busiestTalkedS: 600 })
  await watch.look()
  pass(HOUR_MS - 1)
  await watch.look()
  expect(raised).toEqual([{ kind: 'unusual_spend', minutes: 120, busiestMinutes: 10, ...where }])
  pass(1)
  await watch.look()
  expect(raised).toHaveLength(2)
})

import { newId, OrganizationId, WorkflowId, WorkflowRunId } from '@troupe/contract'
import { readSchedule } from '@troupe/graph'
import type { HeldSchedule } from '@troupe/storage'
import { describe, expect, test } from 'vitest'
import { fireAfter, passedTimes } from './fire-times.ts'
import { planFires } from './plan-fires.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 5, 1, 12)
const RUNS = Array.from({ length: 10 }, () => newId(WorkflowRunId))
const [BEFORE, OTHER] = [newId(WorkflowRunId), newId(WorkflowRunId)]

function read(cron: string) {
  const checked = readSchedule({ mode: 'cron', cron })
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors))
  return checked.value
}

/** A plan in short form: `fired 12:00`, with a `+` where a run starts. */
function plan(cron: string, changes: Partial<HeldSchedule>, now = NOON + 1_000) {
  let started = 0
  const held: HeldSchedule = {
    organizationId: newId(OrganizationId),
    workflowId: newId(WorkflowId),
    nodeId: 'r',
    config: {},
    overlap: 'allow',
    catchUp: 'latest',
    nextFireAt: NOON,
    waitingSince: null,
    publishedAt: 0,
    inFlight: [],
    ...changes,
  }
  const made = planFires(held, read(cron), now, () => RUNS[started++] ?? newId(WorkflowRunId))
  return {
    ...made,
    told: made.fires.map(
      ({ outcome, scheduledFor, runId }) => `${outcome} ${clock(scheduledFor)}${runId === null ? '' : ' +'}`,
    ),
    next: made.nextFireAt === null ? null : clock(made.nextFireAt),
    waits: made.waitingSince === null ? null : clock(made.waitingSince),
  }
}

function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 16)
}

describe('a due time', () => {
  test('starts one run, and the next one is planned', () => {
    const { told, next, fires, cancels } = plan('@hourly', {})
    expect(told).toEqual(['fired 12:00 +'])
    expect(fires[0]).toEqual({ scheduledFor: NOON, outcome: 'fired', reason: null, runId: RUNS[0] })
    expect([next, cancels]).toEqual(['13:00', []])
  })

  test('counts as on time for a minute, because fires of one second are paced', () => {
    expect(plan('@hourly', {}, NOON + MINUTE).told).toEqual(['fired 12:00 +'])
    expect(plan('@hourly', {}, NOON + MINUTE + 1).told).toEqual(['late 12:00 +'])
    expect(plan('@hourly', { catchUp: 'none' }, NOON + MINUTE).told).toEqual(['fired 12:00 +'])
    expect(plan('@hourly', { catchUp: 'none' }, NOON + MINUTE + 1).told).toEqual(['missed 12:00'])
  })

  test('starts nothing before it is due', () => {
    expect(plan('@hourly', { nextFireAt: NOON + HOUR })).toMatchObject({ told: [], next: '13:00' })
  })

  test('of a schedule that ends has no next one', () => {
    expect(plan('@hourly', { nextFireAt: null })).toMatchObject({ told: [], next: null })
  })
})

describe('after a downtime', () => {
  const since = NOON - 3 * HOUR
  test('latest starts the last missed time, all starts every one, none starts none', () => {
    const told = (catchUp: HeldSchedule['catchUp']) =>
      plan('30 * * * *', { catchUp, nextFireAt: since + 30 * MINUTE })
    expect(told('latest')).toMatchObject({
      told: ['missed 09:30', 'missed 10:30', 'late 11:30 +'],
      next: '12:30',
    })
    expect(told('all').told).toEqual(['late 09:30 +', 'late 10:30 +', 'late 11:30 +'])
    expect(told('none').told).toEqual(['missed 09:30', 'missed 10:30', 'missed 11:30'])
    expect(told('none').next).toBe('12:30')
  })

  test('a time due right now is started by each policy, missed times according to the policy', () => {
    const told = (catchUp: HeldSchedule['catchUp']) =>
      plan('@hourly', { catchUp, nextFireAt: NOON - HOUR }).told
    expect(told('latest')).toEqual(['missed 11:00', 'fired 12:00 +'])
    expect(told('none')).toEqual(['missed 11:00', 'fired 12:00 +'])
    expect(told('all')).toEqual(['late 11:00 +', 'fired 12:00 +'])
  })

  test('no time older than 24 hours is caught up', () => {
    const nextFireAt = NOON - 2 * DAY
    expect(plan('0 11 * * *', { nextFireAt: nextFireAt - HOUR, catchUp: 'all' }, NOON - 1).told).toEqual([
      'missed 11:00',
      'missed 11:00',
      'late 11:00 +',
    ])
    expect(plan('0 11 1 * *', { nextFireAt: NOON - HOUR }, NOON - HOUR + DAY).told).toEqual(['late 11:00 +'])
    expect(plan('0 11 1 * *', { nextFireAt: NOON - HOUR }, NOON - HOUR + DAY + 1).told).toEqual([
      'missed 11:00',
    ])
  })

  test('no time before the publish fires', () => {
    const held = { nextFireAt: NOON - 3 * HOUR, publishedAt: NOON - 2 * HOUR, catchUp: 'all' } as const
    expect(plan('@hourly', held).told).toEqual([
      'missed 09:00',
      'missed 10:00',
      'late 11:00 +',
      'fired 12:00 +',
    ])
  })

  test('all starts at most a hundred, and the ledger records the earlier ones as missed', () => {
    const made = plan('* * * * *', { nextFireAt: NOON - 300 * MINUTE, catchUp: 'all' })
    expect(made.fires.filter(({ runId }) => runId !== null)).toHaveLength(100)
    expect(made.fires[0]).toMatchObject({
      scheduledFor: NOON - 300 * MINUTE,
      outcome: 'missed',
      reason: expect.stringContaining(`before ${new Date(NOON - 99 * MINUTE).toISOString()}`),
    })
    expect(made.fires).toHaveLength(101)
  })

  test('of a year, a schedule of every minute is planned in a moment', () => {
    const before = process.threadCpuUsage()
    const made = plan('* * * * *', { nextFireAt: NOON - 365 * DAY })
    expect(made.fires).toHaveLength(101)
    expect(made.told.at(-1)).toBe('fired 12:00 +')
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000)
  })
})

describe('while a run of the node is in flight', () => {
  const busy = { inFlight: [BEFORE] }
  test('allow starts another one', () => {
    expect(plan('@hourly', { ...busy, overlap: 'allow' }).told).toEqual(['fired 12:00 +'])
  })

  test('skip starts none and records the reason', () => {
    const made = plan('@hourly', { ...busy, overlap: 'skip' })
    expect(made.told).toEqual(['skipped 12:00'])
    expect(made.fires[0]?.reason).toBe('The previous run had not ended.')
  })

  test('queue_one queues one fire, and skips the others', () => {
    expect(plan('@hourly', { ...busy, overlap: 'queue_one' })).toMatchObject({
      told: [],
      waits: '12:00',
      next: '13:00',
    })
    const second = plan('@hourly', { ...busy, overlap: 'queue_one', waitingSince: NOON - HOUR })
    expect(second).toMatchObject({ told: ['skipped 12:00'], waits: '11:00' })
    const again = plan('@hourly', { ...busy, overlap: 'queue_one', waitingSince: NOON })
    expect(again).toMatchObject({ told: [], waits: '12:00' })
  })

  test('cancel_previous cancels it and starts', () => {
    const made = plan('@hourly', { inFlight: [BEFORE, OTHER], overlap: 'cancel_previous' })
    expect(made).toMatchObject({ told: ['fired 12:00 +'], cancels: [BEFORE, OTHER] })
  })
})

describe('a queued fire', () => {
  const waiting = { overlap: 'queue_one', waitingSince: NOON - HOUR } as const
  test('starts late as soon as nothing is in flight', () => {
    const made = plan('@hourly', { ...waiting, nextFireAt: NOON + HOUR })
    expect(made).toMatchObject({ told: ['late 11:00 +'], waits: null, next: '13:00' })
  })

  test('precedes the due one, which waits for it', () => {
    expect(plan('@hourly', waiting)).toMatchObject({ told: ['late 11:00 +'], waits: '12:00', next: '13:00' })
  })
})

describe('catching up with overlap', () => {
  const missed = { nextFireAt: NOON - 2 * HOUR, catchUp: 'all' } as const
  test('evaluates one time after the other: a started run is in flight for the next', () => {
    expect(plan('@hourly', { ...missed, overlap: 'skip' }).told).toEqual([
      'late 10:00 +',
      'skipped 11:00',
      'skipped 12:00',
    ])
    expect(plan('@hourly', { ...missed, overlap: 'queue_one' })).toMatchObject({
      told: ['late 10:00 +', 'skipped 12:00'],
      waits: '11:00',
    })
  })

  test('of cancel_previous starts only the last one, and cancels the earlier run once', () => {
    const made = plan('@hourly', { ...missed, overlap: 'cancel_previous', inFlight: [BEFORE] })
    expect(made).toMatchObject({
      told: ['skipped 10:00', 'skipped 11:00', 'fired 12:00 +'],
      cancels: [BEFORE],
    })
  })
})

describe('passed times', () => {
  test.for<[string, number[]]>([
    ['* * * * *', [0.01, 0.08, 0.5]],
    ['*/15 * * * *', [0.5, 1.5, 12]],
    ['@hourly', [0.5, 4, 40]],
    ['0 9 * * MON-FRI', [3, 40, 400]],
    ['0 0 1 * *', [40, 400, 4_000]],
  ])('of %s are the same however long ago it began', ([cron, spans]) => {
    for (const days of spans) {
      const from = fireAfter(read(cron), NOON - days * DAY) ?? 0
      const all = passedTimes(read(cron), from, NOON, Number.POSITIVE_INFINITY)
      expect(all.earlier).toBe(false)
      const last = passedTimes(read(cron), from, NOON, 100)
      expect(last).toEqual({ times: all.times.slice(-100), earlier: all.times.length > 100 })
    }
  })
})

import type { SeededPerson } from '@troupe/test-kit/seed-person'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { publishedWorkflow, workflowPath } from './workflow-steps.ts'

const PATIENCE_MS = 120_000
const WAIT = { timeout: 20_000, interval: 100 }

/** At half past two in the night of Berlin, which the last Sunday of October 2027 has twice. */
const NIGHTLY = {
  nodes: [
    {
      id: 'nightly',
      type: 'recurrence',
      name: 'Every night',
      config: { mode: 'cron', cron: '30 2 * * *', timezone: 'Europe/Berlin', overlap: 'skip' },
    },
    { id: 'check', type: 'human-review', name: 'Check', config: { title: 'Check the night' } },
  ],
  edges: [{ id: 'a', source: 'nightly', target: 'check' }],
}

/** The clock of the machine, moved: timers run as before, and due fires are looked for by a turn of the scheduler. */
function movedClock() {
  let movedMs = 0
  return {
    now: () => Date.now() + movedMs,
    monotonic: () => performance.now() + movedMs,
    schedule: (ms: number, task: () => void) => {
      const timer = setTimeout(task, ms)
      return () => clearTimeout(timer)
    },
    moveTo: (time: number) => {
      movedMs = time - Date.now()
    },
  }
}

interface Listed {
  schedules: {
    nextFires: string[]
    fires: { scheduledFor: string; outcome: string; executionId: string | null }[]
  }[]
}

describe.skipIf(CHROMIUM === null)('a schedule across a change of the clocks', () => {
  let journey: Journey
  const clock = movedClock()
  beforeAll(async () => {
    journey = await startJourney({ overrides: { clock } })
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  /** The pages take the server's time from its responses. */
  const tellTime = (page: Page) =>
    page.context().route('**/api/builder/v1/**', async (route) => {
      if (route.request().url().includes('/events')) return route.fallback()
      const response = await route.fetch()
      await route.fulfill({
        response,
        headers: { ...response.headers(), date: new Date(clock.now()).toUTCString() },
      })
    })

  test.each([360, 1_440])(
    'is in words and on a timeline of fired, skipped, missed and next starts, at %d pixels',
    async (width) => {
      const year = width === 360 ? 2027 : 2028
      const change = year === 2027 ? '2027-10-31' : '2028-10-29'
      const at = (days: number, time: string) => Date.parse(`${change}T${time}Z`) + days * 86_400_000
      clock.moveTo(at(-2, '12:00:00'))
      const workflowId = await publishedWorkflow(journey, `Night ${width}`, NIGHTLY)
      const listed = async () => {
        await journey.server.context.scheduler.turn()
        const { schedules } = await asOperator<Listed>(journey, `GET /workflows/${workflowId}/schedules`)
        return schedules[0] ?? { nextFires: [], fires: [] }
      }
      const outcomes = async () => (await listed()).fires.map(({ outcome }) => outcome)
      const { nextFires } = await listed()
      // Summer time before the change and winter time after it; the night of the change fires once.
      expect(nextFires.map((one) => one.slice(11, 16))).toEqual(['00:30', '00:30', '01:30', '01:30', '01:30'])
      expect(new Set(nextFires.map((one) => one.slice(0, 10))).size).toBe(5)

      const person = await journey.person('member', 'Ana')
      const open = async (reader: SeededPerson) => {
        const window = await journey.open(reader, `/o/${journey.slug}`, { width })
        await tellTime(window.page)
        await window.page.goto(journey.url + workflowPath(journey, workflowId, '?tab=triggers'))
        return { window, page: window.page }
      }
      const before = await open(person)
      await before.page.getByText('The clocks change on', { exact: false }).waitFor()
      await before.window.context.close()

      clock.moveTo(at(-1, '00:30:01'))
      await expect.poll(outcomes, WAIT).toEqual(['fired'])
      const reviews = () =>
        asOperator<{ data: { reviewId: string }[] }>(
          journey,
          `GET /reviews?status=open&workflowId=${workflowId}`,
        )
      await expect.poll(async () => (await reviews()).data.length, WAIT).toBe(1)
      // The run of the night before has not ended.
      clock.moveTo(at(0, '00:30:01'))
      await expect.poll(outcomes, WAIT).toEqual(['skipped', 'fired'])
      const reviewId = (await reviews()).data[0]?.reviewId
      const decided = await journey.server.call(`POST /api/v1/reviews/${reviewId}/decision`, {
        body: { decision: 'approve' },
      })
      expect(decided.status).toBe(200)
      const executionId = (await listed()).fires.at(-1)?.executionId
      const statusOf = async () =>
        (await asOperator<{ status: string }>(journey, `GET /runs/${executionId}`)).status
      await expect.poll(statusOf, WAIT).toBe('completed')
      // Nothing ran for three days: the latest night is caught up, the others are missed.
      clock.moveTo(at(3, '12:00:00'))
      await expect.poll(outcomes, WAIT).toEqual(['late', 'missed', 'missed', 'skipped', 'fired'])

      const { window, page } = await open(person)
      await page
        .getByText(/02:30.*Europe\/Berlin/)
        .first()
        .waitFor()
      const strip = page.getByRole('group', { name: 'Starts in the last and next 14 days' })
      await strip.waitFor()
      for (const word of ['Fired', 'Late', 'Missed', 'Skipped', 'Planned'])
        await page.getByRole('listitem').filter({ hasText: word }).first().waitFor()
      // Entries with a run link to it.
      expect(await strip.getByRole('link').count()).toBe(2)
      const times = await page.locator('time').allInnerTexts()
      expect(times.filter((text) => text.endsWith('02:30')).length).toBeGreaterThanOrEqual(8)
      await expectGood(window, `workflow-schedule-${width}`)
      expect(window.faults).toEqual([])
      await window.context.close()
    },
    PATIENCE_MS,
  )
})

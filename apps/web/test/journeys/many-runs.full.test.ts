import { type BulkDatabase, openBulkDatabase } from '@troupe/test-kit/seed-many-runs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'

const RUNS = 100_000
const MOST_ELEMENTS = 3_000
const MOST_GAP_MS = 300
const SCROLL_PX = 4_000

/**
 * Runs in the page: scrolls down in every frame until nothing more loads, and returns the max time without a row in the middle of
 * the window, and the max number of elements.
 */
const SCROLL_TO_END = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const height = () => document.documentElement.scrollHeight
  let emptySince = null
  let gapMs = 0
  let elements = 0
  let restedSince = performance.now()
  let former = 0
  while (performance.now() - restedSince < 3000) {
    scrollBy(0, ${SCROLL_PX})
    await frame()
    const now = performance.now()
    const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
    const isThere = middle?.closest('tr[data-index]') !== null
    if (isThere && emptySince !== null) gapMs = Math.max(gapMs, now - emptySince)
    emptySince = isThere ? null : (emptySince ?? now)
    elements = Math.max(elements, document.getElementsByTagName('*').length)
    if (scrollY !== former || height() > former + 2 * innerHeight) restedSince = now
    former = scrollY
  }
  return { gapMs, elements, height: height() }
})()`

const bulk: BulkDatabase | null = CHROMIUM === null ? null : await openBulkDatabase()

describe.skipIf(bulk === null)(`the explorer over ${RUNS} runs`, () => {
  let journey: Journey
  beforeAll(async () => {
    if (!bulk) return
    journey = await startJourney({ overrides: { database: bulk.database } })
    const { organizationId, agents } = journey.server.seed
    const agent = await bulk.database.read.agents.byId(organizationId, agents.organization)
    const place = { organizationId, agentId: agents.organization, versionId: agent?.versionId ?? '' }
    await bulk.insertRuns({ ...place, count: RUNS })
  }, 300_000)
  afterAll(async () => {
    await journey?.[Symbol.asyncDispose]()
    await bulk?.[Symbol.asyncDispose]()
  })

  test('every row is reached by scrolling, without a long gap, and with few elements', async () => {
    const { page, faults, context } = await journey.open(
      await journey.person('owner'),
      `/o/${journey.slug}/runs?range=all`,
    )
    const table = page.getByRole('table', { name: 'Runs' })
    await table.locator('tr[data-index]').first().waitFor()
    const { gapMs, elements } = await page.evaluate<{ gapMs: number; elements: number }>(SCROLL_TO_END)
    const last = await table.locator('tr[data-index]').last().getAttribute('data-index')
    console.log(`${last} is the last row; gap ${Math.round(gapMs)} ms, ${elements} elements`)
    expect(Number(last)).toBe(RUNS - 1)
    expect(elements).toBeLessThanOrEqual(MOST_ELEMENTS)
    expect(gapMs).toBeLessThanOrEqual(MOST_GAP_MS)
    expect(faults).toEqual([])
    await context.close()
  }, 600_000)
})

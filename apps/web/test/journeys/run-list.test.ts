import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchMouseOff } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { seedRuns } from './observed-runs.ts'

const PATIENCE_MS = 120_000
const POLL = { timeout: 20_000, interval: 50 }

/** Runs in the page: counts the rows that are tinted because they have arrived. */
const COUNT_ARRIVALS = `
  window.arrivals = 0
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'attributes') window.arrivals += target.hasAttribute('data-new') ? 1 : 0
      else for (const node of addedNodes) {
        if (node instanceof Element) window.arrivals += node.matches('[data-new]') + node.querySelectorAll('[data-new]').length
      }
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-new'] })
`

describe.skipIf(CHROMIUM === null)('the list of runs', () => {
  let journey: Journey
  let agentId: string
  beforeAll(async () => {
    journey = await startJourney()
    agentId = (await seedRuns(journey)).agentId
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const call = (target: string, body?: object) =>
    journey.server.call(target, body === undefined ? {} : { body })
  const at = (path: string) => `/o/${journey.slug}/${path}`

  test(
    'Space shows the summary of a row, arrows change it, and Space or Escape closes it, all with the keyboard',
    async () => {
      const window = await journey.open(await journey.person('owner'), at('runs?range=day'))
      const { page, context } = window
      await switchMouseOff(window)
      const row = (index: number) => page.locator(`tr[data-index="${index}"]`)
      const summary = page.getByRole('region', { name: /^Summary of / })
      await row(0).waitFor()
      for (const [key, index] of [
        ['j', 0],
        ['j', 1],
        ['k', 0],
      ] as const) {
        await page.keyboard.press(key)
        await expect.poll(() => row(index).evaluate((one) => one.matches(':focus')), POLL).toBe(true)
        // Also from elsewhere on the page.
        await row(index).evaluate((one) => one.blur())
      }
      await row(0).focus()
      await page.keyboard.press('Space')
      await page.getByRole('region', { name: 'Summary of Broken, Failed' }).waitFor()
      await summary.getByRole('alert').waitFor()
      await expectGood(window, 'peek-run-1280')
      for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowDown')
      await page.getByRole('region', { name: 'Summary of Orders, Completed' }).waitFor()
      await expect.poll(() => row(2).evaluate((one) => one.matches(':focus')), POLL).toBe(true)
      await page.keyboard.press('Space')
      await summary.waitFor({ state: 'detached' })

      // Tab goes into the summary, and what closes it there leads back to the row.
      await page.keyboard.press('Space')
      await page.keyboard.press('Tab')
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => row(3).evaluate((one) => one.matches(':focus')), POLL).toBe(true)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      expect(await summary.evaluate((one) => one.matches(':focus-within'))).toBe(true)
      await page.keyboard.press('Escape')
      await summary.waitFor({ state: 'detached' })
      await expect.poll(() => row(3).evaluate((one) => one.matches(':focus')), POLL).toBe(true)

      for (const list of ['agents', 'teams', 'workflows']) {
        await page.goto(journey.url + at(list))
        const name = await row(0).getByRole('link').first().innerText()
        await row(0).focus()
        await page.keyboard.press('Space')
        await page.getByRole('region', { name: `Summary of ${name}` }).waitFor()
        await expectGood(window, `peek-${list}-1280`)
        await page.setViewportSize({ width: 360, height: 740 })
        await expectGood(window, `peek-${list}-360`)
        await page.setViewportSize({ width: 1280, height: 860 })
      }
      await page.keyboard.press('?')
      await page.getByRole('dialog').getByText('Preview the row').waitFor()
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'runs are narrowed by dragging over the histogram, the link shows the same, and the selection is a CSV file',
    async () => {
      const owner = await journey.person('owner')
      const { page, faults, context } = await journey.open(owner, at('runs?range=day'))
      const table = page.getByRole('table', { name: 'Runs' })
      const rows = table.locator('tbody tr[data-index]')
      await expect.poll(() => rows.count(), POLL).toBe(7)
      const chart = page.getByRole('img', { name: 'Runs over time' })
      const box = await chart.boundingBox()
      if (!box) throw new Error('the chart has no place')
      // Everything ran in the last bars.
      await page.mouse.move(box.x + box.width * 0.9, box.y + 20)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width - 2, box.y + 20, { steps: 4 })
      await page.mouse.up()
      await page.waitForURL(/from=\d+&.*to=\d+/)
      await expect.poll(() => rows.count(), POLL).toBe(7)
      const link = page.url()
      const other = await journey.open(await journey.person('viewer'), link.slice(journey.url.length))
      await expect.poll(() => other.page.locator('tbody tr[data-index]').count(), POLL).toBe(7)
      await other.context.close()

      await rows.nth(0).getByRole('checkbox').click()
      await rows.nth(1).getByRole('checkbox').click()
      await page.getByRole('toolbar', { name: '2 runs selected' }).waitFor()
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export as CSV' }).click()
      const csv = await readFile(await (await saving).path(), 'utf8')
      expect(csv.split('\r\n')).toHaveLength(4)
      expect(csv).toContain('Broken')

      // The chart has moved: the range is a filter now, in a separate line above it.
      const narrowed = await chart.boundingBox()
      await page.mouse.move(box.x + box.width * 0.2, (narrowed?.y ?? 0) + 20)
      await page.mouse.down()
      await page.mouse.up()
      await page.getByText('No run matches').waitFor()
      await page.goBack()
      await expect.poll(() => rows.count(), POLL).toBe(7)

      // The same with the keyboard alone.
      await page.getByRole('button', { name: 'More filters' }).press('Enter')
      await page.getByLabel(/^To/).fill('2026-01-01T10:00')
      await page.keyboard.press('Enter')
      await page.getByText('This must be after “From”.').waitFor()
      await page.getByLabel(/^From/).fill('2026-01-01T09:00')
      await page.keyboard.press('Enter')
      await page.getByText('No run matches').waitFor()
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'new runs are counted instead of moving the rows, and shown on a press',
    async () => {
      const { page, context } = await journey.open(await journey.person('owner'), at('runs?kind=agent'))
      const rows = page.getByRole('table', { name: 'Runs' }).locator('tbody tr[data-index]')
      await expect.poll(() => rows.count(), POLL).toBe(3)
      await page.evaluate(COUNT_ARRIVALS)
      const arrived = () => page.evaluate<number>('window.arrivals')
      for (const [shown, status] of [
        ['All states', 'Failed'],
        ['Failed', 'All states'],
      ] as const) {
        await page.getByRole('button', { name: `${shown} Status` }).click()
        await page.getByRole('option', { name: status, exact: true }).click()
        if (status === 'Failed') await page.getByText('No run matches').waitFor()
      }
      await expect.poll(() => rows.count(), POLL).toBe(3)
      expect(await arrived()).toBe(0)
      await call(`POST /api/v1/agents/${agentId}/run`, { message: 'One more' })
      await page.getByRole('button', { name: '1 new run' }).click()
      await expect.poll(() => rows.count(), POLL).toBe(4)
      expect(await arrived()).toBe(1)
      await expect.poll(() => page.locator('[data-new]').count(), POLL).toBe(0)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'cached rows, restored when a filter is removed, are updated and new ones are counted',
    async () => {
      const { page, context } = await journey.open(
        await journey.person('owner'),
        at('runs?kind=agent&range=all'),
      )
      const rows = page.getByRole('table', { name: 'Runs' }).locator('tbody tr[data-index]')
      await expect.poll(() => rows.count(), POLL).toBe(4)
      const choose = async (shown: string, status: string) => {
        await page.getByRole('button', { name: `${shown} Status` }).click()
        await page.getByRole('option', { name: status, exact: true }).click()
      }
      await choose('All states', 'Failed')
      await page.getByText('No run matches').waitFor()
      await call(`POST /api/v1/agents/${agentId}/run`, { message: 'While only failures are shown' })
      await choose('Failed', 'All states')
      await page.getByRole('button', { name: '1 new run' }).click()
      await expect.poll(() => rows.count(), POLL).toBe(5)
      await context.close()
    },
    PATIENCE_MS,
  )
})

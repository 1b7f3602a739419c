import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { seedRuns } from './observed-runs.ts'

const PATIENCE_MS = 120_000
const WEEK_MS = 7 * 86_400_000
const POLL = { timeout: 20_000, interval: 50 }

describe.skipIf(CHROMIUM === null)('usage and its budgets', () => {
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
  /**
   * Repeats the first day of the reports a week earlier, because all other usage of this server is of today.
   */
  const lengthenHistory = (page: Page) =>
    page.route('**/api/builder/**/usage?**', async (route) => {
      const response = await route.fetch()
      const report = await response.json()
      const [first] = report.days
      const day = new Date(Date.parse(first.day) - WEEK_MS).toISOString().slice(0, 10)
      await route.fulfill({ response, json: { ...report, days: [{ ...first, day }, ...report.days] } })
    })

  test(
    'usage names its users, and a budget that will not last has the day on which it is used up',
    async () => {
      const owner = await journey.person('owner')
      const window = await journey.open(owner, at('usage'))
      const { page, faults, context } = window
      await page.getByRole('table', { name: 'By model' }).getByText('sandbox-1').waitFor()
      // No model has a price, so tokens are shown first, and the cost chart is not empty axes.
      await page.getByRole('button', { name: /^Tokens/, pressed: true }).waitFor()
      await page.getByRole('button', { name: /^Cost/ }).click()
      await page.getByText('No cost in this period: no model that was called has a price.').waitFor()
      await page.getByRole('button', { name: /^Runs/ }).click()
      await page.waitForURL(/metric=runs/)
      // Also while the next response is pending.
      const focused = () => page.evaluate<string>('document.activeElement.innerText')
      await page.waitForLoadState('networkidle')
      expect(await focused()).toMatch(/^Runs/)
      await page.getByRole('button', { name: 'By model Group by' }).click()
      await page.getByRole('option', { name: 'By tag' }).click()
      await page.getByRole('table', { name: 'By tag' }).getByText('web').waitFor()
      await page.getByRole('radio', { name: 'Table' }).click()
      await page.getByRole('columnheader', { name: 'web' }).waitFor()
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export CSV' }).click()
      expect(await readFile(await (await saving).path(), 'utf8')).toContain('web')
      await page.getByRole('link', { name: 'Manage budgets' }).click()
      await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor()
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the card of a bar opens by the mouse, the keyboard and a tap, and series are switched in the legend',
    async () => {
      const owner = await journey.person('owner')
      const path = at('usage?group=tag&metric=runs')
      const { page, faults, context } = await journey.open(owner, at('settings/organization'))
      await lengthenHistory(page)
      await page.goto(journey.url + path)
      const chart = page.getByRole('img', { name: /Runs/ })
      const card = page.getByText('Total', { exact: true })
      const box = await chart.boundingBox()
      if (!box) throw new Error('no chart')
      await chart.hover({ position: { x: box.width - 12, y: box.height / 2 } })
      await card.waitFor()
      await page.mouse.move(0, 0)
      await card.waitFor({ state: 'detached' })

      const keys = page.getByRole('slider', { name: /Runs/ })
      await keys.focus()
      await page.keyboard.press('End')
      await card.waitFor()
      const spoken = () => keys.getAttribute('aria-valuetext')
      expect(await spoken()).toMatch(/web \d+.*total/)
      const web = page.getByRole('button', { name: 'web', exact: true })
      await web.press('Enter')
      expect(await web.getAttribute('aria-pressed')).toBe('false')
      expect(await spoken()).not.toContain('web')
      await web.click()
      expect(await web.getAttribute('aria-pressed')).toBe('true')
      expect(faults).toEqual([])
      await context.close()

      const phone = await journey.open(owner, at('settings/organization'), { width: 360 })
      await lengthenHistory(phone.page)
      await phone.page.goto(journey.url + path)
      const small = phone.page.getByRole('img', { name: /Runs/ })
      const own = await small.boundingBox()
      if (!own) throw new Error('no chart')
      const opened = phone.page.getByText('Total', { exact: true })
      await small.tap({ position: { x: own.width - 6, y: own.height / 2 } })
      await opened.waitFor()
      await phone.page.getByRole('heading', { level: 1 }).tap()
      await opened.waitFor({ state: 'detached' })
      const legend = phone.page.getByRole('button', { name: 'web', exact: true })
      await legend.tap()
      expect(await legend.getAttribute('aria-pressed')).toBe('false')
      expect(phone.faults).toEqual([])
      await phone.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the usage of one day is a lying bar with its total, without empty days beside it',
    async () => {
      const { page, faults, context } = await journey.open(
        await journey.person('owner'),
        at('usage?group=tag&metric=runs'),
      )
      const day = page.getByRole('list', { name: 'Runs by day, by tag' }).getByRole('listitem')
      await expect.poll(() => day.allInnerTexts()).toHaveLength(1)
      expect(await day.innerText()).toMatch(/: .*web \d+/)
      expect(await page.getByRole('slider').count()).toBe(0)
      await page.getByRole('radio', { name: 'Table' }).click()
      await page.getByRole('columnheader', { name: 'web' }).waitFor()
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a used-up budget refuses calls; Home reports it; raised, calls succeed again',
    async () => {
      const owner = await journey.person('owner', 'Olga')
      const window = await journey.open(owner, at('settings/budgets?create=1'))
      const { page, faults, context } = window
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Metric/ }).click()
      await page.getByRole('option', { name: 'Model tokens' }).click()
      await dialog.getByRole('textbox', { name: 'Limit per month' }).fill('1')
      // A number is committed when its field loses the focus.
      await page.keyboard.press('Tab')
      await dialog.getByRole('button', { name: 'Save budget' }).click()
      await dialog.waitFor({ state: 'detached' })
      const run = () => call(`POST /api/v1/agents/${agentId}/run`, { message: 'Again?' })
      await expect.poll(async () => (await run()).status, POLL).toBe(429)
      await page.goto(journey.url + at(''))
      await page.getByRole('link', { name: /of the budget for/ }).waitFor()
      await page.goto(journey.url + at('usage'))
      await page.getByText('Full: calls are refused').waitFor()
      await expectGood(window, 'usage-budget-full')
      await page.goto(journey.url + at('settings/budgets'))
      await page.getByRole('button', { name: /^Actions for/ }).click()
      await page.getByRole('menuitem', { name: /Change/ }).click()
      await dialog.getByRole('textbox', { name: 'Limit per month' }).fill('90000000')
      await page.keyboard.press('Tab')
      await dialog.getByRole('button', { name: 'Save budget' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(async () => (await run()).status, POLL).toBe(200)
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )
})

import type { Page } from 'playwright-core'
import { quantile } from '../load/statistics.ts'
import type { PageRow } from './page-row.ts'

/** Pages of the navigation whose menus, tabs and switches are pressed. */
const PAGES = ['', 'agents', 'teams', 'workflows', 'runs', 'reviews', 'usage', 'knowledge', 'skills'] as const
/** Controls that open or change something without sending a request. */
const PRESSED = 'main :is(button[aria-haspopup], [role=tab], [role=radio], [role=switch], th [role=button])'
const PRESSES_PER_PAGE = 6
const FEWEST = 60
/** The browser reports interactions from here on; faster ones are only counted. */
const REPORTED_MS = 16

/** Runs in the page: the browser's own measure of each interaction, from the press or key to the frame that shows its result. */
const WATCH = `(() => {
  const slowest = new Map()
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0) slowest.set(interactionId, Math.max(slowest.get(interactionId) ?? 0, duration))
  }).observe({ type: 'event', durationThreshold: ${REPORTED_MS}, buffered: true })
  window.benchInteractions = () => ({ all: performance.interactionCount, slow: [...slowest.values()] })
})()`

/**
 * Goes through the pages with mouse and keyboard: opens their menus, tabs and peeks, and searches in the palette.
 * From each press or key to the paint of its result.
 */
export async function measureInteractions(page: Page, home: string): Promise<PageRow[]> {
  await page.goto(`${home}/runs`)
  await page.evaluate(WATCH)
  for (const path of PAGES) {
    await page
      .locator(`nav a[href$="${new URL(home).pathname}${path && `/${path}`}"]`)
      .first()
      .click()
    await page.locator('main h1').waitFor()
    await page.waitForTimeout(400)
    await pressWhatOpens(page)
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await closeAll(page)
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.type('writer', { delay: 60 })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await page.waitForTimeout(500)
  const { all, slow } = await page.evaluate<{ all: number; slow: number[] }>('window.benchInteractions()')
  if (all < FEWEST) throw new Error(`only ${all} interactions were measured`)
  const fast = Array.from({ length: Math.max(0, all - slow.length) }, () => REPORTED_MS)
  return [
    {
      what: `${all} interactions to paint, p95`,
      reached: quantile([...slow, ...fast], 0.95),
      atMost: 100,
      unit: 'ms',
    },
    { what: 'the same, slowest', reached: Math.max(...slow, REPORTED_MS), atMost: 200, unit: 'ms' },
  ]
}

/** Content that is loaded on opening may appear after the first Escape. */
async function closeAll(page: Page): Promise<void> {
  const open = page.locator('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')
  for (let tries = 0; tries < 20 && (await open.count()) > 0; tries += 1) {
    await page.keyboard.press('Escape')
    await page.waitForTimeout(200)
  }
}

async function pressWhatOpens(page: Page): Promise<void> {
  const count = Math.min(await page.locator(PRESSED).count(), PRESSES_PER_PAGE)
  for (let at = 0; at < count; at += 1) {
    const pressed = page.locator(PRESSED).nth(at)
    if (!(await pressed.isVisible().catch(() => false))) continue
    await pressed.click({ timeout: 2_000 }).catch(() => undefined)
    await page.waitForTimeout(150)
    await closeAll(page)
  }
}

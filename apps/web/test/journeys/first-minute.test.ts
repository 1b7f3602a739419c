import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { ensureWebBuilt } from '@troupe/test-kit/ensure-web-built'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWindow } from '../browser.ts'
import { type LocalServer, startLocalServer } from '../local-server.ts'

const CHROMIUM = findChromium()
const FIRST_MINUTE_MS = 60_000

describe.skipIf(CHROMIUM === null)('the first minute', () => {
  let server: LocalServer
  beforeAll(async () => {
    ensureWebBuilt()
    server = await startLocalServer()
  }, 240_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  test(
    'from the printed link to an answer that streams takes three presses and less than a minute',
    async () => {
      const browser = await startChromium(CHROMIUM ?? '')
      const startedMs = performance.now()
      try {
        const { page, faults } = await openWindow(browser, 'light', 1_280)
        await page.goto(server.startLink)
        await page.getByRole('button', { name: 'Open the Playground' }).click()
        // The address is that of an agent as soon as the page knows one.
        await page.locator('a[href*="tab=playground"]', { hasText: 'Talk to an agent' }).click()
        await page.getByRole('button', { name: 'What can you do for me?' }).click()
        const log = page.getByRole('log', { name: 'Playground' })
        await log.getByRole('link', { name: 'Trace' }).waitFor()
        expect(await log.getByText('What can you do for me?').count()).toBeGreaterThan(1)
        expect(performance.now() - startedMs).toBeLessThan(FIRST_MINUTE_MS)
        expect(faults).toEqual([])
      } finally {
        await browser.close()
      }
    },
    3 * FIRST_MINUTE_MS,
  )
})

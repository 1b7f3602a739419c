import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { ensureWebBuilt } from '@troupe/test-kit/ensure-web-built'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWindow } from '../browser.ts'
import { type LocalServer, startLocalServer } from '../local-server.ts'
import { tellOnFailure } from './tell-on-failure.ts'

const CHROMIUM = findChromium()
const FIRST_MINUTE_MS = 60_000

describe.skipIf(CHROMIUM === null)('the first minute', () => {
  let server: LocalServer
  let browser: Browser
  beforeAll(async () => {
    ensureWebBuilt()
    server = await startLocalServer()
    browser = await startChromium(CHROMIUM ?? '')
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  test(
    'from the printed link to an answer that streams takes three presses and less than a minute',
    async () => {
      const startedMs = performance.now()
      const window = await openWindow(browser, 'light', 1_280)
      tellOnFailure(window)
      const { page, faults } = window
      await page.goto(server.startLink)
      await page.getByRole('button', { name: 'Open the Playground' }).click()
      await page.getByRole('link', { name: 'Talk to an agent' }).click()
      await page.getByRole('button', { name: 'What can you do for me?' }).click()
      const log = page.getByRole('log', { name: 'Playground' })
      await log.getByRole('link', { name: 'Trace' }).waitFor()
      expect(await log.getByText('What can you do for me?').count()).toBeGreaterThan(1)
      expect(performance.now() - startedMs).toBeLessThan(FIRST_MINUTE_MS)
      expect(faults).toEqual([])
    },
    3 * FIRST_MINUTE_MS,
  )
})

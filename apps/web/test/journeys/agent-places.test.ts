import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentPath, newAgent } from './agent-steps.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('where one is in the pages of agents', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test(
    'an opened section keeps its position, another page begins at its top, and Back and a reload restore the position',
    async () => {
      const agentId = await newAgent(journey, 'Scrolled')
      const { page, faults } = await journey.open(await journey.person('member'), agentPath(journey, agentId))
      const heading = page.getByRole('button', { name: /^Memory/ })
      await heading.scrollIntoViewIfNeeded()
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      const place = async () => Number(await page.evaluate('scrollY'))
      await expect.poll(place).toBeGreaterThan(100)
      const before = await place()
      await heading.press('Enter')
      await page.waitForURL(/open=/)
      await expect.poll(() => heading.getAttribute('aria-expanded')).toBe('true')
      await page.waitForTimeout(300)
      expect(await place()).toBeGreaterThanOrEqual(before)
      const left = await place()
      await page.getByRole('link', { name: 'Agents', exact: true }).first().press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
      await expect.poll(place).toBe(0)
      await page.goBack()
      await expect.poll(place).toBe(left)
      // The page is restored before its agent loads, and is too short for the position until then.
      await page.route(new RegExp(`/agents/${agentId}(\\?|$)`), async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 700))
        await route.continue()
      })
      await page.reload()
      await expect.poll(() => heading.getAttribute('aria-expanded')).toBe('true')
      await expect.poll(place).toBe(left)
      await page.mouse.wheel(0, -60)
      await expect.poll(place).toBe(left - 60)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an agent created by keyboard has the focus on its heading; Back returns to the list, not to the dialog; a name of spaces is invalid',
    async () => {
      const { page } = await journey.open(await journey.person('member'), `/o/${journey.slug}`)
      await page.getByText('Nothing needs you').waitFor()
      await page.keyboard.press('g')
      await page.keyboard.press('a')
      await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
      await page.keyboard.press('c')
      const name = page.getByRole('textbox', { name: 'Name' })
      await name.fill('   ')
      expect(await page.getByRole('button', { name: 'Create agent' }).isDisabled()).toBe(true)
      await name.fill('Made and left')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Made and left' }).waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Made and left')
      await page.goBack()
      await page.waitForURL((url) => url.pathname.endsWith('/agents') && !url.searchParams.has('create'))
      expect(await page.getByRole('dialog').count()).toBe(0)
    },
    PATIENCE_MS,
  )
})

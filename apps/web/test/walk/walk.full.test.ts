import { unreachableVoice } from '@troupe/test-kit/unreachable-voice'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserWindow, WIDTHS } from '../browser.ts'
import { CHROMIUM, type Journey, lookFaults, startJourney } from '../journeys/journey.ts'
import { type PlaceIds, seedHostileOrganization } from './hostile-organization.ts'
import { PLACES } from './places.ts'

const WALK_MS = 15 * 60_000
const POLL = { timeout: 15_000, interval: 20 }

/** Runs in the page: whether a tab shows nothing yet, because its code is loading. */
const IS_EMPTY = `[...document.querySelectorAll('[role=tabpanel]')].some((panel) => panel.innerText.trim() === '')`

describe.skipIf(CHROMIUM === null)('a walk through every page', () => {
  let journey: Journey
  let ids: PlaceIds
  beforeAll(async () => {
    // The server is its own MCP server, on the loopback network.
    journey = await startJourney({ env: { ...unreachableVoice(), TROUPE_ALLOWED_NETWORKS: 'loopback' } })
    ids = await seedHostileOrganization(journey)
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  /** The page has loaded everything, and shows no loading state. */
  const settled = async (page: Page) => {
    await page.waitForLoadState('networkidle')
    await expect.poll(() => page.evaluate<boolean>(IS_EMPTY), POLL).toBe(false)
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count(), POLL).toBe(0)
  }
  const addressOf = (place: string) =>
    place.replaceAll(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? `no-${id}`)
  const fileNameOf = (text: string) => text.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '') || 'home'

  /** The faults of the window, each with the name of its screenshot. */
  async function lookAt(window: BrowserWindow, name: string): Promise<string[]> {
    await settled(window.page)
    const found = await lookFaults(window, name)
    if (await window.page.evaluate<boolean>('document.body.hidden')) found.push('a script of a name has run')
    return found.map((fault) => `${name}: ${fault}`)
  }

  /** A place in the state that its address has, then each of its tabs. */
  async function walkTo(window: BrowserWindow, place: string, width: number): Promise<string[]> {
    const { page } = window
    const name = `walk-${fileNameOf(place)}`
    await page.goto(`${journey.url}/o/${journey.slug}/${addressOf(place)}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const found = await lookAt(window, `${name}-${width}`)
    if (place.includes('?')) return found
    const tabs = await page.getByRole('tab').allInnerTexts()
    for (const tab of tabs.slice(1)) {
      await page.getByRole('tab', { name: tab, exact: true }).click()
      found.push(...(await lookAt(window, `${name}-tab-${fileNameOf(tab)}-${width}`)))
    }
    return found
  }

  test.each(WIDTHS)(
    'pages and tabs have no visual faults at %d px in light and dark, with any names',
    async (width) => {
      const window = await journey.open(await journey.person('owner', 'O'), `/o/${journey.slug}`, { width })
      const refused: string[] = []
      window.page.on('response', (answer) => {
        if (answer.status() > 399) refused.push(`${answer.status()} ${answer.url()}`)
      })
      const found: string[] = []
      for (const place of Object.values(PLACES).flat()) found.push(...(await walkTo(window, place, width)))
      expect(found).toEqual([])
      expect(refused).toEqual([])
    },
    WALK_MS,
  )
})

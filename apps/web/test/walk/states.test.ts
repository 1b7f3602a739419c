import { randomUUID } from 'node:crypto'
import { type SeededPerson, seedPerson } from '@troupe/test-kit/seed-person'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeViolations, type BrowserWindow } from '../browser.ts'
import { CHROMIUM, type Journey, startJourney } from '../journeys/journey.ts'
import { type PlaceIds, seedHostileOrganization } from './hostile-organization.ts'
import { PLACES } from './places.ts'

const WALK_MS = 10 * 60_000
/** What every page is asked for: calls below an organization, whose answers a page shows. */
const READS = /\/api\/builder\/v1\/organizations\/[^/]+\/(?!events)/
/** Pages that show all they have without asking for anything. */
const WITHOUT_QUESTIONS = new Set(['settings/api', 'settings/bundle'])
const FIRST_PLACES = Object.entries(PLACES).flatMap(([path, [place]]) =>
  place === undefined ? [] : [{ path, place }],
)
const LISTS = FIRST_PLACES.filter(({ path }) => !path.includes('$'))
const THINGS = FIRST_PLACES.filter(({ path }) => path.includes('$'))

describe.skipIf(CHROMIUM === null)('the states of every page', () => {
  let journey: Journey
  let owner: SeededPerson
  let ids: PlaceIds
  beforeAll(async () => {
    journey = await startJourney({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } })
    owner = await journey.person('owner')
    ids = await seedHostileOrganization(journey)
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const fill = (place: string, idOf: (name: string) => string) =>
    place.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name))
  const known = (name: string) => ids[name] ?? ''
  const goTo = (page: Page, slug: string, place: string) => page.goto(`${journey.url}/o/${slug}/${place}`)
  const hasCrashed = (page: Page) => page.getByText('This page has stopped working').isVisible()

  /** What is wrong with the page once it shows the state, whose sign is waited for. */
  async function faultsOf(
    window: BrowserWindow,
    path: string,
    sign: (page: Page) => Promise<void>,
  ): Promise<string[]> {
    const { page, faults } = window
    const found: string[] = []
    await page.getByRole('heading', { level: 1 }).waitFor()
    await sign(page).catch(() => found.push('the state is not shown'))
    if (await hasCrashed(page)) found.push('has stopped working')
    found.push(...(await axeViolations(page)), ...faults.splice(0))
    return found.map((fault) => `${path}: ${fault}`)
  }

  test(
    'empty: every list of a new organization says what belongs there, and how the first comes',
    async () => {
      const { database } = journey.server.context
      const organizationId = journey.server.seed.otherOrganizationId
      const person = await seedPerson(database, { organizationId, role: 'owner', name: 'Otto' })
      const organizations = await database.read.organizations.all()
      const slug = organizations.find(({ id }) => id === organizationId)?.slug ?? ''
      const window = await journey.open(person, `/o/${slug}`)
      const found: string[] = []
      for (const { path, place } of LISTS) {
        await goTo(window.page, slug, place)
        found.push(...(await faultsOf(window, path, (page) => page.waitForLoadState('networkidle'))))
      }
      expect(found).toEqual([])
    },
    WALK_MS,
  )

  test(
    'error: what cannot be loaded says so in its place, with Retry, and comes when it is pressed',
    async () => {
      const window = await journey.open(owner, `/o/${journey.slug}`)
      const { page } = window
      const message = 'The database is away.'
      const refuse = (route: Route) =>
        route.fulfill({
          status: 500,
          contentType: 'application/json',
          headers: { 'x-request-id': 'req-of-states' },
          body: JSON.stringify({ error: 'internal_error', message }),
        })
      const found: string[] = []
      for (const { path, place } of FIRST_PLACES) {
        if (WITHOUT_QUESTIONS.has(path)) continue
        await page.evaluate(`new Promise((done) => {
          const gone = indexedDB.deleteDatabase('troupe'); gone.onsuccess = gone.onerror = gone.onblocked = done
        }).then(() => undefined)`)
        await page.route(READS, refuse)
        await goTo(page, journey.slug, fill(place, known))
        const retry = page.getByRole('main').getByRole('button', { name: 'Retry' })
        found.push(...(await faultsOf(window, path, () => retry.first().waitFor({ timeout: 8_000 }))))
        await page.unroute(READS, refuse)
        for (let left = await retry.count(); left > 0; left -= 1) await retry.first().click()
        await expect.poll(() => retry.count(), { timeout: 10_000 }).toBe(0)
      }
      expect(found).toEqual([])
    },
    WALK_MS,
  )

  test(
    'loading: the frame and the title of the page are there before any answer',
    async () => {
      const { page } = await journey.open(owner, `/o/${journey.slug}`)
      const found: string[] = []
      for (const { path, place } of FIRST_PLACES) {
        const waiting: Route[] = []
        const hold = (route: Route) => {
          waiting.push(route)
        }
        await page.route(READS, hold)
        await goTo(page, journey.slug, fill(place, known))
        const title = page.getByRole('heading', { level: 1 })
        await title.waitFor({ timeout: 8_000 }).catch(() => found.push(`${path}: has no title`))
        if (await hasCrashed(page)) found.push(`${path}: has stopped working`)
        await page.unroute(READS, hold)
        await Promise.all(waiting.map((route) => route.continue().catch(() => undefined)))
      }
      expect(found).toEqual([])
    },
    WALK_MS,
  )

  test(
    'gone: the address of a thing that is not there says so, and leads to the others',
    async () => {
      const window = await journey.open(owner, `/o/${journey.slug}`)
      const found: string[] = []
      for (const { path, place } of THINGS) {
        await goTo(
          window.page,
          journey.slug,
          fill(place, () => randomUUID()),
        )
        const list = path.startsWith('tools/') ? 'tools' : path.slice(0, path.indexOf('/$'))
        const wayOut = window.page.getByRole('main').locator(`a[href^="/o/${journey.slug}/${list}"]`)
        found.push(...(await faultsOf(window, path, () => wayOut.first().waitFor({ timeout: 8_000 }))))
      }
      expect(found).toEqual([])
    },
    WALK_MS,
  )

  test(
    'no permission: a viewer opens every page, and nothing of it breaks',
    async () => {
      const viewer = await journey.person('viewer', 'Vera')
      const window = await journey.open(viewer, `/o/${journey.slug}`)
      const found: string[] = []
      for (const { path, place } of FIRST_PLACES) {
        await goTo(window.page, journey.slug, fill(place, known))
        found.push(...(await faultsOf(window, path, (page) => page.waitForLoadState('networkidle'))))
      }
      expect(found).toEqual([])
    },
    WALK_MS,
  )
})

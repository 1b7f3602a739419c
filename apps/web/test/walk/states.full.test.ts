import { randomUUID } from 'node:crypto'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BrowserWindow } from '../browser.ts'
import { CHROMIUM, type Journey, lookFaults, startJourney } from '../journeys/journey.ts'
import { asOperator } from '../journeys/operator.ts'
import { type PlaceIds, seedHostileOrganization } from './hostile-organization.ts'
import { PLACES } from './places.ts'

const MINUTES = 60_000
/** Pages that are complete without any response: a response only adds options. */
const WHOLE: ReadonlySet<string> = new Set(['settings/api'])
/** How long a title stays before it counts. */
const STEADY_MS = 400
const POLL = { timeout: 15_000, interval: 20 }

/** The fate of a page's requests: they succeed, wait, or fail. */
type Weather = 'good' | 'slow' | 'bad'

/** The addresses of every page, one each; those of one thing have its id. */
const PAGES = Object.entries(PLACES).flatMap(([path, [place]]) =>
  place === undefined ? [] : [{ path, place, isOfOne: path.includes('$') }],
)

describe.skipIf(CHROMIUM === null)('every page', () => {
  let journey: Journey
  let ids: PlaceIds
  beforeAll(async () => {
    // The server is its own MCP server, on the loopback network.
    journey = await startJourney({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } })
    ids = await seedHostileOrganization(journey)
  }, 3 * MINUTES)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const urlOf = (place: string, idOf: (name: string) => string = (name) => ids[name] ?? '') =>
    `${journey.url}/o/${journey.slug}/${place.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name))}`

  /** Opens an address, and returns the title that the page has when it is complete. */
  async function titleAt({ page }: BrowserWindow, url: string): Promise<string> {
    await page.goto(url)
    await settled(page)
    return title(page)
  }

  test('shows its loading state, then the error, and one press of Retry shows it when the server is well', {
    timeout: 10 * MINUTES,
  }, async () => {
    const window = await journey.open(await journey.person('owner', 'O'), '/')
    const { page } = window
    const sky = await weatherOf(window.context)
    const wrong: string[] = []
    for (const { path, place } of PAGES) {
      const expected = await titleAt(window, urlOf(place))
      sky.is = 'slow'
      await page.goto(urlOf(place))
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      const loading = page.getByRole('status', { name: 'Loading' }).or(page.getByText('Last loaded'))
      if (WHOLE.has(path)) {
        // Its code may still load; its responses never arrive here.
        if (!(await gone(loading, 10_000))) wrong.push(`${path}: loads`)
        sky.is = 'good'
        continue
      }
      const isLoading = await visible(loading.first(), 5_000)
      sky.is = isLoading ? 'bad' : 'good'
      if (!isLoading) {
        wrong.push(`${path}: does not say that it loads`)
        continue
      }
      const retry = page.getByRole('button', { name: 'Retry' })
      if (!(await visible(retry.first(), 10_000))) wrong.push(`${path}: no Retry`)
      await page.getByText('r-500').first().waitFor()
      await settled(page)
      sky.is = 'good'
      await retry.first().click()
      await settled(page)
      await expect
        .poll(() => retry.count(), POLL)
        .toBe(0)
        .catch(() => wrong.push(`${path}: Retry stays`))
      const found = await title(page)
      if (found !== expected) wrong.push(`${path}: is “${found}” after Retry, and was “${expected}”`)
    }
    expect(wrong).toEqual([])
    expect(window.faults).toEqual([])
    await window.context.close()
  })

  test('is unchanged while the browser is offline, reports it, and continues afterwards', {
    timeout: 10 * MINUTES,
  }, async () => {
    const window = await journey.open(await journey.person('owner', 'O'), '/')
    const { page, context } = window
    const strip = page.getByText('You are offline.', { exact: false })
    const wrong: string[] = []
    for (const { path, place } of PAGES) {
      const expected = await titleAt(window, urlOf(place))
      await context.setOffline(true)
      await strip.waitFor()
      if ((await title(page)) !== expected) wrong.push(`${path}: another title while offline`)
      await context.setOffline(false)
      await strip.waitFor({ state: 'detached' })
      await settled(page)
      if ((await title(page)) !== expected) wrong.push(`${path}: another title afterwards`)
      if ((await page.getByRole('button', { name: 'Retry' }).count()) > 0) wrong.push(`${path}: Retry`)
    }
    expect(wrong).toEqual([])
    await context.close()
  })

  test.for([
    'viewer',
    'reviewer',
    'member',
  ] as const)('requests nothing that is forbidden for a %s, and shows its restrictions', {
    timeout: 10 * MINUTES,
  }, async (role) => {
    // A viewer's pages are also checked on a phone: disabled actions and their reasons take room.
    const isLookedAt = role === 'viewer'
    const window = await journey.open(await journey.person(role, 'R'), '/', {
      width: isLookedAt ? 360 : 1280,
    })
    const { page } = window
    const wrong: string[] = []
    page.on('response', (answer) => {
      const isOwn = role !== 'reviewer' || !/\/reviews\//.test(answer.url())
      if (answer.status() > 399 && isOwn) wrong.push(`${answer.status()} ${answer.url()} at ${page.url()}`)
    })
    for (const { path, place } of PAGES) {
      await page.goto(urlOf(place))
      await settled(page)
      if ((await page.getByRole('button', { name: 'Retry' }).count()) > 0) wrong.push(`${path}: Retry`)
      if (!isLookedAt) continue
      const picture = `viewer-${path.replaceAll(/[^a-z0-9]+/gi, '-')}`
      wrong.push(...(await lookFaults(window, picture)).map((fault) => `${path}: ${fault}`))
    }
    expect(wrong).toEqual([])
    expect(window.faults).toEqual([])
    await window.context.close()
  })

  test.for([
    ['of an id that nothing has', randomUUID()],
    ['of a text that is no id', 'no-id'],
  ] as const)('of one resource reports that it is missing, and links to the others, at an address %s', {
    timeout: 5 * MINUTES,
  }, async ([_, id]) => {
    const window = await journey.open(await journey.person('owner', 'O'), '/')
    const { page } = window
    const wrong: string[] = []
    for (const { path, place } of PAGES.filter(({ isOfOne }) => isOfOne)) {
      await page.goto(urlOf(place, () => id))
      await settled(page)
      const gone = page.getByRole('heading', { name: /(not found|no longer exists)/ })
      if (!(await visible(gone, 5_000))) wrong.push(`${path}: does not say that it is gone`)
      const ways = page.getByRole('main').getByRole('link', { name: /^(All|The) / })
      if (!(await visible(ways.first(), 1_000))) wrong.push(`${path}: leads nowhere`)
      if ((await page.getByRole('button', { name: 'Retry' }).count()) > 0) wrong.push(`${path}: Retry`)
    }
    expect(wrong).toEqual([])
    expect(window.faults).toEqual([])
    await window.context.close()
  })

  test('of a deleted resource shows an admin the actor and time, even while it is open', {
    timeout: 2 * MINUTES,
  }, async () => {
    const base = await asOperator<{ knowledgeBaseId: string }>(journey, 'POST /knowledge-bases', {
      name: 'Handbook of 1999',
    })
    const address = urlOf(`knowledge/${base.knowledgeBaseId}`)
    const admin = await journey.open(await journey.person('admin', 'Ada'), '/')
    const member = await journey.open(await journey.person('member', 'Mo'), '/')
    for (const { page } of [admin, member]) {
      await page.goto(address)
      await page.getByRole('heading', { level: 1, name: 'Handbook of 1999' }).waitFor()
    }
    const own = await admin.context.newPage()
    await own.goto(address)
    await own
      .getByRole('button', { name: /^(More actions|Actions)/ })
      .first()
      .click()
    await own.getByRole('menuitem', { name: /^Delete/ }).click()
    await own
      .getByRole('dialog')
      .or(own.getByRole('alertdialog'))
      .getByRole('button', { name: /^Delete/ })
      .click()
    await own.waitForURL(/\/knowledge$/)
    for (const { page } of [admin, member]) await page.reload()
    await admin.page.getByText(/^Ada deleted “Handbook of 1999” (just now|.* ago)\.$/).waitFor()
    await member.page
      .getByText('It was deleted with its documents, or it belongs to another organization.')
      .waitFor()
    expect([...admin.faults, ...member.faults]).toEqual([])
    await admin.context.close()
    await member.context.close()
  })
})

/** Every requested response is there, and nothing is loading. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count(), POLL).toBe(0)
}

/** The title, once two reads agree: a page shows the word of its kind for the moment before its loading state. */
async function title(page: Page): Promise<string> {
  const read = () => page.getByRole('heading', { level: 1 }).first().innerText()
  let before = await read()
  for (;;) {
    await page.waitForTimeout(STEADY_MS)
    const now = await read()
    if (now === before) return now
    before = now
  }
}

function visible(what: ReturnType<Page['locator']>, timeout: number): Promise<boolean> {
  return what.waitFor({ timeout }).then(
    () => true,
    () => false,
  )
}

/** Whether nothing of this kind is left in time. */
function gone(what: ReturnType<Page['locator']>, timeout: number): Promise<boolean> {
  return expect
    .poll(() => what.count(), { timeout, interval: 20 })
    .toBe(0)
    .then(
      () => true,
      () => false,
    )
}

/** Controls the responses to requests about the organization. */
async function weatherOf(context: BrowserContext): Promise<{ is: Weather }> {
  const sky: { is: Weather } = { is: 'good' }
  const fail = (route: Route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/json',
      headers: { 'x-request-id': 'r-500' },
      body: JSON.stringify({ error: 'internal_error', message: 'Something went wrong on the server.' }),
    })
  await context.route(/\/api\/builder\/v1\/(organizations|account)\//, async (route) => {
    const url = new URL(route.request().url())
    if (url.pathname.endsWith('/events')) return route.continue()
    await expect.poll(() => sky.is, { timeout: MINUTES, interval: 20 }).not.toBe('slow')
    return sky.is === 'bad' ? fail(route) : route.continue()
  })
  return sky
}

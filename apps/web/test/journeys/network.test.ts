import { randomUUID } from 'node:crypto'
import { UNTRUSTED_HOST } from '@troupe/test-kit/chromium'
import { freePort } from '@troupe/test-kit/free-port'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'

describe.skipIf(CHROMIUM === null)(
  'the network of a page, and what changes in the meantime',
  { timeout: 120_000 },
  () => {
    let journey: Journey
    beforeAll(async () => {
      journey = await startJourney()
    }, 180_000)
    afterAll(async () => {
      await journey?.[Symbol.asyncDispose]()
    })
    const home = () => `/o/${journey.slug}`
    const makeAgent = (name: string) => asOperator(journey, 'POST /agents', { name })

    test('a page opens one connection for changes, and another one after a sign-in that ended', async () => {
      const person = await journey.person('owner')
      const { page, context } = await journey.open(person, '/')
      const opened: string[] = []
      page.on('request', (request) => {
        if (/\/events\?/.test(request.url())) opened.push(request.url())
      })
      await page.goto(journey.url + home())
      await page.waitForResponse(/\/events\?/)
      await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
      expect(opened).toHaveLength(1)
      await page.request.delete(`${journey.url}/api/builder/v1/session`, { headers: { origin: journey.url } })
      await page.keyboard.press('g')
      await page.keyboard.press('s')
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
      const again = page.waitForResponse((response) => /\/events\?/.test(response.url()) && response.ok())
      await page.getByLabel('Password').fill(person.password)
      await page.keyboard.press('Enter')
      await again
      await context.close()
    })

    test('at a URL unknown to the server, a sign-in names the URL of its pages, and keeps the input', async () => {
      const person = await journey.person('owner')
      const { page, context } = await journey.open(null, '/')
      await page.goto(journey.url.replace('127.0.0.1', UNTRUSTED_HOST))
      await page.getByLabel('E-mail').fill(person.email)
      await page.getByLabel('Password').fill(person.password)
      const asked = page.waitForResponse(
        (response) => /\/session$/.test(response.url()) && response.request().method() === 'GET',
      )
      await page.keyboard.press('Enter')
      await page.getByText('This request must come from a page of this server').waitFor()
      // The refusal makes the page refetch the session.
      await asked
      expect(await page.getByLabel('E-mail').inputValue()).toBe(person.email)
      expect(await page.getByText('This request must come from a page of this server').count()).toBe(1)
      await context.close()
    })

    test('over plain http on a local network, two tabs share one connection, and the other one takes it over', async () => {
      const port = await freePort()
      const lan = `http://${UNTRUSTED_HOST}:${port}`
      await using network = await startJourney({ port, env: { TROUPE_PUBLIC_URL: lan } })
      const person = await network.person('owner')
      const { page, context } = await network.open(null, '/')
      const reading = new Set<Request>()
      const opened: string[] = []
      context.on('request', (request) => {
        if (!/\/events\?/.test(request.url())) return
        reading.add(request)
        opened.push(request.url())
      })
      context.on('requestfailed', (request) => void reading.delete(request))
      context.on('requestfinished', (request) => void reading.delete(request))
      await page.goto(lan)
      await page.getByLabel('E-mail').fill(person.email)
      await page.getByLabel('Password').fill(person.password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
      expect(await page.evaluate<boolean[]>("[isSecureContext, 'locks' in navigator]")).toEqual([
        false,
        false,
      ])
      await expect.poll(() => reading.size).toBe(1)
      const other = await context.newPage()
      await other.goto(`${lan}/o/${network.slug}/agents`)
      await other.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
      await asOperator(network, 'POST /agents', { name: 'Made while two look' })
      await other.getByText('Made while two look').first().waitFor()
      expect([reading.size, opened.length]).toEqual([1, 1])
      await page.close()
      await expect.poll(() => reading.size, { timeout: 15_000 }).toBe(1)
      await asOperator(network, 'POST /agents', { name: 'Made after one was closed' })
      await other.getByText('Made after one was closed').first().waitFor()
      await context.close()
    })

    test('a save between the first response of a page and its connection is shown', async () => {
      const { page, context } = await journey.open(await journey.person('owner'), '/')
      let connect = () => {}
      const isHeld = new Promise<void>((resolve) => {
        connect = resolve
      })
      await context.route(/\/events\?/, async (route) => {
        await isHeld
        await route.continue()
      })
      const name = `Made in between ${randomUUID().slice(0, 8)}`
      await page.goto(`${journey.url}${home()}/agents`)
      await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
      await page.getByRole('table').or(page.getByText('New agent')).first().waitFor()
      await makeAgent(name)
      expect(await page.getByRole('link', { name }).count()).toBe(0)
      connect()
      await page.getByRole('link', { name }).waitFor()
      await context.close()
    })

    test('a save during the first request of a second tab is shown there', async () => {
      const { page, context } = await journey.open(await journey.person('owner'), '/')
      const { server } = journey
      await page.goto(`${journey.url}${home()}/agents`)
      await page.waitForResponse(/\/events\?/)
      const second = await context.newPage()
      const name = `Made for two ${randomUUID().slice(0, 8)}`
      // Its list has the response from before the change.
      await second.route(
        /\/agents\?/,
        async (route) => {
          const answer = await route.fetch()
          const made = await server.call(
            `POST /api/builder/v1/organizations/${server.seed.organizationId}/agents`,
            { key: null, headers: { authorization: `Bearer ${server.adminToken}` }, body: { name } },
          )
          expect(made.status).toBe(201)
          await route.fulfill({ response: answer })
        },
        { times: 1 },
      )
      await second.goto(`${journey.url}${home()}/agents`)
      await second.getByRole('link', { name }).waitFor()
      await page.getByRole('link', { name }).waitFor()
      await context.close()
    })

    test('an error is shown at its place, with the request id, and Retry repairs it', async () => {
      const window = await journey.open(await journey.person('owner'), home())
      const { page, context } = window
      let isBroken = true
      await context.route('**/api/builder/v1/organizations/*', (route) =>
        isBroken
          ? route.fulfill({
              status: 404,
              contentType: 'application/json',
              headers: { 'x-request-id': 'r-123' },
              body: JSON.stringify({ error: 'organization_not_found', message: 'Organization not found.' }),
            })
          : route.continue(),
      )
      await page.goto(`${journey.url}${home()}/settings/organization`)
      await page.getByText('r-123').waitFor()
      await expectGood(window, 'journey-error')
      isBroken = false
      await page.getByRole('button', { name: 'Retry' }).click()
      await page.getByText('Requests per minute').waitFor()
      await context.close()
    })

    test('offline is shown above the page, reading continues, and sending controls have the reason', async () => {
      const { page, context } = await journey.open(await journey.person('owner'), `${home()}/agents`)
      await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
      const create = page.getByRole('button', { name: 'New agent' }).first()
      expect(await create.getAttribute('aria-disabled')).toBeNull()
      await context.setOffline(true)
      await page.getByText('You are offline.').waitFor()
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      expect(await create.getAttribute('aria-disabled')).toBe('true')
      expect(await create.getAttribute('aria-description')).toBe('You are offline.')
      await create.press('Enter')
      expect(await page.getByRole('dialog').count()).toBe(0)
      await context.setOffline(false)
      await page.getByText('You are offline.').waitFor({ state: 'detached' })
      await create.press('Enter')
      await page.getByRole('dialog', { name: 'New agent' }).waitFor()
      await context.close()
    })

    test('data not loaded before the network was lost is reported, and loaded when it is back', async () => {
      const { page, context } = await journey.open(await journey.person('owner'), `${home()}/workflows`)
      const title = page.getByRole('heading', { level: 1, name: 'Workflows' })
      await title.waitFor()
      // From here on, the browser has the page's code, but none of the responses for the next page.
      await page.goto(`${journey.url}${home()}/agents`)
      await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
      await context.setOffline(true)
      await page.getByText('You are offline.').waitFor()
      await page.getByRole('link', { name: 'Workflows', exact: true }).click()
      await title.waitFor()
      await page.getByText('You are offline, and this page is not cached.').first().waitFor()
      await context.setOffline(false)
      await page.getByText('You are offline').first().waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'New workflow' }).first().waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      await context.close()
    })

    test('a page that was opened without a network opens, with its styles, when the network is back', async () => {
      const { page, context } = await journey.open(
        await journey.person('owner'),
        `${home()}/settings/organization`,
      )
      await page.getByRole('heading', { level: 1, name: 'Organization' }).waitFor()
      await context.setOffline(true)
      await page.getByText('You are offline.').waitFor()
      await page.getByRole('link', { name: 'Audit log' }).click()
      await page.getByText('The page opens as soon as the connection is back.').waitFor()
      await page.getByRole('heading', { level: 1, name: 'This page is not loaded yet' }).waitFor()
      await context.setOffline(false)
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
      // A stylesheet that failed exists, too, without a rule.
      const rules = () =>
        page.evaluate<number[]>(
          `[...document.styleSheets].filter(({ href }) => href?.includes('/data-table-')).map(({ cssRules }) => cssRules.length)`,
        )
      await expect.poll(rules, { timeout: 15_000 }).toEqual([expect.toSatisfy((count: number) => count > 0)])
      await page.getByText('You are offline.').waitFor({ state: 'detached' })
      await context.close()
    })
  },
)

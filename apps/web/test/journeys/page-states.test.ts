import { randomUUID } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtFile } from './built-file.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { SERVER_ERROR } from './page-faults.ts'

/** Questions about the organization, but not the stream of its changes. */
const QUESTIONS = /\/api\/builder\/v1\/organizations\/[^/]+\/(?!events)/

describe.skipIf(CHROMIUM === null)('what a page shows in place of its data', { timeout: 90_000 }, () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const fail = (context: BrowserContext) => context.route(QUESTIONS, (route) => route.fulfill(SERVER_ERROR))

  test('while the code of a page loads, the navigation and a loading state', async () => {
    const { page, context } = await journey.open(await journey.person('owner'), '/')
    let load = () => {}
    const isHeld = new Promise<void>((resolve) => {
      load = resolve
    })
    await context.route(`**/${builtFile('src/features/runs/run-page.tsx')}`, async (route) => {
      await isHeld
      await route.continue()
    })
    await page.goto(`${journey.url}/o/${journey.slug}/runs/${randomUUID()}`, { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'Agents', exact: true }).waitFor()
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    load()
    await page.getByRole('heading', { level: 1, name: 'Run not found' }).waitFor()
    await context.close()
  })

  test('after a failure, its reason and Retry instead of a loading state, in every part', async () => {
    const window = await journey.open(await journey.person('owner'), '/')
    const { page, context } = window
    await fail(context)
    await page.goto(`${journey.url}/o/${journey.slug}/runs`)
    await page.getByRole('heading', { name: 'The runs could not be loaded' }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'The runs over time could not be loaded' }).waitFor()
    expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    await page.getByText('report it to the operator of this server. Request r-500').first().waitFor()
    await expectGood(window, 'journey-page-states-failed')
    await context.unroute(QUESTIONS)
    await page.getByRole('button', { name: 'Retry' }).first().click()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await context.close()
  })

  test('after a later failure, the last known rows below one line with Retry', async () => {
    const name = `Known ${randomUUID().slice(0, 8)}`
    await asOperator(journey, 'POST /agents', { name })
    const window = await journey.open(await journey.person('owner'), `/o/${journey.slug}/agents`)
    const { page, context } = window
    const row = page.getByRole('link', { name })
    await row.waitFor()
    await fail(context)
    await asOperator(journey, 'POST /agents', { name: 'Made during the failure' })
    const line = page.getByRole('alert').filter({ hasText: 'The agents could not be loaded' })
    await line.waitFor()
    expect(await row.count()).toBe(1)
    await expectGood(window, 'journey-page-states-stale')
    await context.unroute(QUESTIONS)
    await line.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('link', { name: 'Made during the failure' }).waitFor()
    await line.waitFor({ state: 'detached' })
    await context.close()
  })

  test('after a crash, a sentence for people, two ways on, and the details of a report', async () => {
    const window = await journey.open(await journey.person('owner'), '/')
    const { page, context } = window
    await context.route(/\/organizations\/[^/]+\/usage\?/, (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: '{"rows":1}' }),
    )
    await page.goto(`${journey.url}/o/${journey.slug}/usage`)
    await page.getByRole('heading', { level: 1, name: 'This page stopped working' }).waitFor()
    await page.getByText('Details for a bug report').click()
    const report = page.getByText(/Page: \/o\/.*\/usage/)
    await report.waitFor()
    expect(await report.innerText()).toMatch(/^TypeError: .*\nTime: \d{4}-.*\nBrowser: /s)
    expect(await page.getByRole('button', { name: 'Copy details' }).count()).toBe(1)
    window.faults.splice(0)
    await expectGood(window, 'journey-page-states-crashed')
    await context.unroute(/\/organizations\/[^/]+\/usage\?/)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    await context.close()
  })

  test('for a missing resource, its way back below the breadcrumbs', async () => {
    const window = await journey.open(
      await journey.person('owner'),
      `/o/${journey.slug}/agents/${randomUUID()}`,
    )
    const { page, context } = window
    await page.getByRole('heading', { level: 1, name: 'Agent not found' }).waitFor()
    expect(await page.getByRole('heading').count()).toBe(1)
    await page
      .getByRole('navigation', { name: 'Breadcrumbs' })
      .getByRole('link', { name: 'Agents' })
      .waitFor()
    expect(await page.title()).toBe('Agent not found · Troupe')
    await expectGood(window, 'journey-page-states-gone')
    await page.getByRole('link', { name: 'All agents' }).click()
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    await context.close()
  })

  test('in an empty list, the first action, and for a viewer the people to ask instead of it', async () => {
    for (const role of ['member', 'viewer'] as const) {
      const window = await journey.open(await journey.person(role), `/o/${journey.slug}/skills`)
      const { page, context } = window
      await page.getByRole('heading', { name: 'No skills yet' }).waitFor()
      const create = page.getByRole('button', { name: 'New skill' })
      const refusal = page.getByText(/^Only .* can do this\. Ask Ana/)
      if (role === 'viewer') await refusal.waitFor()
      // One in the header of the page, one in the list.
      expect(await create.count()).toBe(role === 'member' ? 2 : 1)
      expect(await refusal.count()).toBe(role === 'member' ? 0 : 1)
      await expectGood(window, `journey-page-states-empty-${role}`)
      await context.close()
    }
  })
})

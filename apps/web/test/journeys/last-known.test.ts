import { randomUUID } from 'node:crypto'
import { propertyOf } from '@troupe/contract'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'

const PATIENCE_MS = 90_000

/** Runs in the page: the keys of its storage. */
const KEYS = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('troupe')
  opening.onerror = () => reject(opening.error)
  opening.onsuccess = () => {
    const asking = opening.result.transaction('values').objectStore('values').getAllKeys()
    asking.onsuccess = () => {
      opening.result.close()
      resolve(asking.result)
    }
  }
})`

describe.skipIf(CHROMIUM === null)('the cached responses of an earlier visit', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  async function asOperator(target: string, body: object): Promise<unknown> {
    const { server } = journey
    const [method, path] = target.split(' ')
    const headers = { authorization: `Bearer ${server.adminToken}` }
    const answer = await server.call(`${method} /api/builder/v1${path}`, { key: null, headers, body })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }

  const makeAgent = (name: string, slug = journey.slug) =>
    asOperator(`POST /organizations/${slug}/agents`, { name })

  /** Holds requests for agents until the returned function is called. */
  async function holdAgents(context: BrowserContext): Promise<() => void> {
    let release = () => {}
    const isHeld = new Promise<void>((resolve) => {
      release = resolve
    })
    await context.route(/\/agents\?/, async (route) => {
      await isHeld
      await route.continue()
    })
    return release
  }

  const openAgents = (page: Page, slug = journey.slug) => page.goto(`${journey.url}/o/${slug}/agents`)
  const known = async (page: Page) =>
    (await page.evaluate<unknown[]>(KEYS)).map(String).filter((key) => key.startsWith('known/'))

  test(
    'a list shows its last known rows, marked as such, until the response arrives',
    async () => {
      const window = await journey.open(await journey.person('owner'), '/')
      const { page, context } = window
      const name = `Known ${randomUUID().slice(0, 8)}`
      const made = await makeAgent(name)
      await openAgents(page)
      await page.getByRole('link', { name }).waitFor()
      await expect.poll(() => known(page)).toHaveLength(1)
      const url = `/organizations/${journey.slug}/agents/${propertyOf(made, 'agentId')}`
      // Before the change: otherwise the page would receive it and fetch the new name.
      const release = await holdAgents(context)
      await asOperator(`PUT ${url}`, { name: `${name} renamed` })
      await page.reload()
      await page.getByRole('link', { name, exact: true }).waitFor()
      await page.getByText('Last loaded').waitFor()
      await expectGood(window, 'journey-last-known')
      release()
      await page.getByRole('link', { name: `${name} renamed` }).waitFor()
      expect(await page.getByText('Last loaded').count()).toBe(0)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a sign-out forgets it, and the next person of this browser sees nothing of it',
    async () => {
      const first = await journey.person('owner')
      const second = await journey.person('viewer', 'Vera')
      const { page, context } = await journey.open(first, '/')
      const name = `Private ${randomUUID().slice(0, 8)}`
      await makeAgent(name)
      await openAgents(page)
      await page.getByRole('link', { name }).waitFor()
      await expect.poll(() => known(page)).toHaveLength(1)
      const signIn = ({ email, password }: typeof first) =>
        page.request.post(`${journey.url}/api/builder/v1/session`, {
          data: { email, password },
          headers: { origin: journey.url },
        })

      // Without a sign-out: the other person has signed in at this browser.
      await signIn(second)
      const release = await holdAgents(context)
      await openAgents(page)
      await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
      await expect.poll(() => known(page)).toEqual([])
      expect(await page.getByRole('link', { name }).count()).toBe(0)
      release()
      await page.getByRole('link', { name }).waitFor()
      await expect.poll(() => known(page)).toHaveLength(1)

      await page.getByRole('button', { name: 'Account Vera' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await known(page)).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'another organization of the same person never sees it',
    async () => {
      const person = await journey.person('owner')
      const slug = `second-${randomUUID().slice(0, 8)}`
      const { email, password } = person
      await asOperator('POST /organizations', {
        slug,
        name: 'Second',
        owner: { email, name: 'Ana', password },
      })
      const { page, context } = await journey.open(person, '/')
      const name = `Of the first ${randomUUID().slice(0, 8)}`
      await makeAgent(name)
      await openAgents(page)
      await page.getByRole('link', { name }).waitFor()
      await expect.poll(() => known(page)).toHaveLength(1)
      const release = await holdAgents(context)
      await openAgents(page, slug)
      await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
      // Grey lines come after the storage was read.
      await page.getByRole('main').getByRole('status').first().waitFor({ state: 'attached' })
      expect(await page.getByRole('link', { name }).count()).toBe(0)
      release()
      await expect.poll(async () => (await known(page)).length).toBe(2)
      expect(new Set((await known(page)).map((key) => key.split('/')[2])).size).toBe(2)
      await context.close()
    },
    PATIENCE_MS,
  )
})

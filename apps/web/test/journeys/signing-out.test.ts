import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'

describe.skipIf(CHROMIUM === null)('signing in and out in Chromium', { timeout: 120_000 }, () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(async () => {
    await journey?.[Symbol.asyncDispose]()
  })

  test('a sign-out that the server did not get says so, and forgets nothing', async () => {
    const { page, context } = await journey.open(await journey.person('owner'), `/o/${journey.slug}`)
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await page.evaluate("localStorage.setItem('kept', 'yes')")
    await page.route('**/api/builder/v1/session', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    )
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await signOut()
    await page.getByText('You are still signed in').waitFor()
    expect(await page.evaluate("localStorage.getItem('kept')")).toBe('yes')
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await page.unroute('**/api/builder/v1/session')
    await signOut()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await context.close()
  })

  test('a sign-in of one tab is enough for those that asked for it', async () => {
    const person = await journey.person('owner')
    const { page, context } = await journey.open(person, `/o/${journey.slug}`)
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await context.clearCookies()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    const { email, password } = person
    const signedIn = await page.request.post(`${journey.url}/api/builder/v1/session`, {
      data: { email, password },
      headers: { origin: journey.url },
    })
    expect(signedIn.ok()).toBe(true)
    // The person looks at this tab again.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('Requests per minute').waitFor()
    await context.close()
  })
})

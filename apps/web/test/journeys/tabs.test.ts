import type { Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'

/** Runs in the page: puts a value into the storage of edits, and returns its keys. */
const storage = (key: string | null) => `new Promise((resolve, reject) => {
  const opening = indexedDB.open('troupe', 1)
  opening.onerror = () => reject(opening.error)
  opening.onsuccess = () => {
    const store = opening.result.transaction('values', 'readwrite').objectStore('values')
    const key = ${JSON.stringify(key)}
    if (key !== null) store.put({ value: 'typed', base: '' }, key)
    const asking = store.getAllKeys()
    asking.onsuccess = () => resolve(asking.result.filter((one) => one.startsWith('draft/')))
  }
})`

describe.skipIf(CHROMIUM === null)('the tabs of one browser', { timeout: 120_000 }, () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(async () => {
    await journey?.[Symbol.asyncDispose]()
  })

  test('seven tabs on this computer share one connection, and the eighth answers', async () => {
    const { page, context } = await journey.open(await journey.person('owner'), '/')
    const reading = new Set<Request>()
    context.on('request', (request) => {
      if (/\/events\?/.test(request.url())) reading.add(request)
    })
    context.on('requestfailed', (request) => void reading.delete(request))
    context.on('requestfinished', (request) => void reading.delete(request))
    const agents = `${journey.url}/o/${journey.slug}/agents`
    await page.goto(agents)
    for (let tab = 2; tab <= 7; tab += 1) await (await context.newPage()).goto(agents)
    expect(await page.evaluate<boolean[]>("[isSecureContext, 'locks' in navigator]")).toEqual([true, true])
    await expect.poll(() => reading.size).toBe(1)
    const eighth = await context.newPage()
    await eighth.goto(agents)
    await eighth.getByRole('row').nth(1).waitFor()
    expect(reading.size).toBe(1)
    await context.close()
  })

  test('a sign-out that the server did not receive is reported, and deletes nothing', async () => {
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

  test('a sign-out in one tab applies to every tab, and keeps unsent input of another person', async () => {
    const person = await journey.person('owner')
    const { page, context } = await journey.open(person, `/o/${journey.slug}/workflows?create=1`)
    await page.getByRole('textbox', { name: 'Name' }).fill('Typed and not sent')
    const other = await context.newPage()
    await other.goto(`${journey.url}/o/${journey.slug}`)
    await other.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await other.evaluate(storage('draft/somebody-else/agent/1'))
    // A typed secret is stored nowhere, and the browser asks before it is lost.
    const secret = await context.newPage()
    const questions: string[] = []
    secret.on('dialog', (dialog) => {
      questions.push(dialog.type())
      void dialog.dismiss()
    })
    await secret.goto(`${journey.url}/o/${journey.slug}/settings/models/new`)
    await secret.getByRole('link', { name: /OpenAI-compatible/ }).click()
    await secret.getByLabel(/^API key/).click()
    await secret.keyboard.type('sk-typed-and-not-saved')
    await expect.poll(() => other.evaluate<string[]>(storage(null))).toHaveLength(2)
    // From an organization that the user has left since the page was loaded: nobody can send it, so it is not counted.
    await other.evaluate(storage(`draft/${person.userId}/a-former-organization/agent/1`))
    await other.getByRole('button', { name: /^Account/ }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await other.getByRole('alertdialog').getByText('keeps 1 edit that').waitFor()
    await other.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    for (const tab of [other, page, secret]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(questions).toEqual([])
    await page.goto(`${journey.url}/o/${journey.slug}/workflows?create=1`)
    await page.getByLabel('E-mail address').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('')
    expect(await page.evaluate(storage(null))).toEqual(['draft/somebody-else/agent/1'])
    await context.close()
  })

  test('a sign-in in one tab is enough for all that required it', async () => {
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
    // The user returns to this tab.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('Requests per minute').waitFor()
    await context.close()
  })
})

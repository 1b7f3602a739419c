import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'

describe.skipIf(CHROMIUM === null)('the account in Chromium', { timeout: 120_000 }, () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 120_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test('a person changes name and password, and signs another browser out, inside the builder', async () => {
    const person = await journey.person('member', 'Ana')
    const elsewhere = await journey.open(person, `/o/${journey.slug}`)
    const window = await journey.open(person, `/o/${journey.slug}/agents`)
    const { page } = window
    await page.getByRole('button', { name: 'Account Ana' }).click()
    await page.getByRole('menuitem', { name: /Your account/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/o/${journey.slug}/account`)
    await page.getByRole('button', { name: /^Sign out of/ }).waitFor()
    await expectGood(window, 'account')

    await page.getByRole('textbox', { name: 'Name' }).fill('Ana Lima')
    await page.getByRole('button', { name: 'Change name' }).click()
    await page.getByText('Your name was changed').waitFor()
    await page.getByRole('button', { name: 'Account Ana Lima' }).waitFor()

    await page.getByRole('button', { name: /^Sign out of/ }).click()
    await page.getByText(/was signed out$/).waitFor()
    await page.getByRole('button', { name: /^Sign out of/ }).waitFor({ state: 'detached' })
    await elsewhere.page.reload()
    await elsewhere.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await elsewhere.context.close()

    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password').fill('a fine new password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('This is not your current password.').waitFor()
    await page.getByLabel('Current password').fill(person.password)
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The password must have 8 to 128 characters.').waitFor()
    await page.getByLabel('New password').fill('a fine new password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password was changed').waitFor()
    expect(await page.getByLabel('New password').inputValue()).toBe('')
    // The page continues with the new session.
    await page.getByRole('link', { name: 'Agents' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    await window.context.close()
  })

  test('a reviewer, who reads nothing else, has the page on a phone', async () => {
    const window = await journey.open(
      await journey.person('reviewer', 'Rita'),
      `/o/${journey.slug}/account`,
      {
        width: 360,
      },
    )
    await window.page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    await window.page.getByText('This browser').waitFor()
    await expectGood(window, 'account-phone')
    await window.context.close()
  })
})

import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import { createPasswordResetLink } from '@troupe/operations/passwords/issue-password-reset'
import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { seedPerson } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const executable = findChromium()
/** Folder for screenshots of the pages; null: none are taken. */
const pictures = process.env.TROUPE_TEST_PICTURES ?? null

/** Runs in the page: its horizontal overflow. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describe.skipIf(executable === null)('the pages of password resets in Chromium', { timeout: 90_000 }, () => {
  let browser: Browser
  let mailing: TestServer
  let mute: TestServer
  const origins = new Map<TestServer, string>()
  beforeAll(async () => {
    mailing = await startTestServer({ overrides: { mailer: { sends: true, send: async () => {} } } })
    mute = await startTestServer()
    for (const server of [mailing, mute]) {
      origins.set(server, await server.app.listen({ host: '127.0.0.1', port: 0 }))
    }
    browser = await startChromium(executable ?? '')
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await mailing?.[Symbol.asyncDispose]()
    await mute?.[Symbol.asyncDispose]()
  })

  async function person(server: TestServer) {
    const { context, seed } = server
    const { email, password } = await seedPerson(context.database, { organizationId: seed.organizationId })
    const parts = { database: context.database, publicUrl: origins.get(server) ?? '', now: () => Date.now() }
    const operator = { kind: 'operator', id: null, ip: null, requestId: null } as const
    return { email, password, link: (await createPasswordResetLink(parts, operator, email)).link }
  }

  async function expectGood(page: Page, name: string): Promise<void> {
    if (pictures !== null) {
      await mkdir(pictures, { recursive: true })
      await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
    }
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    expect(await page.evaluate<number>(OVERFLOW)).toBe(0)
  }

  test.for([
    ['light', 1280],
    ['dark', 360],
  ] as const)('are accessible and fit, and their flow works: %s, %i pixels', async ([colorScheme, width]) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
    const page = await context.newPage()
    const name = (one: string) => `reset-${one}-${colorScheme}-${width}`
    await page.goto(`${origins.get(mute)}/reset-password`)
    await expectGood(page, name('without-mail'))

    await page.goto(`${origins.get(mailing)}/sign-in`)
    await expectGood(page, name('sign-in'))
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expectGood(page, name('request'))
    await page.getByLabel('E-mail address').fill(`${randomUUID()}@acme.test`)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
    await expectGood(page, name('sent'))

    const { email, link } = await person(mailing)
    await page.goto(link)
    await expectGood(page, name('choose'))
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('alert').waitFor()
    await expectGood(page, name('refused'))
    await page.getByLabel('New password').fill('a fine new password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('status').waitFor()
    await expectGood(page, name('done'))
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill('a fine new password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.goto(link)
    await expectGood(page, name('used'))
    await context.close()
  })
})

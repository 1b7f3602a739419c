import { propertyOf } from '@troupe/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { chooseAction } from './resource-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 60_000

const PAGES = [
  'agents',
  'agents?create=1',
  'teams',
  'workflows',
  'runs',
  'settings/organization',
  'settings/projects?create=1',
  'settings/members',
  'settings/keys',
  'settings/budgets?create=1',
  'settings/audit',
]

describe.skipIf(CHROMIUM === null)('keys and runs', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const statusWith = async (key: string) => (await journey.server.call('GET /api/v1/agents', { key })).status
  const secretOn = async (page: Page) =>
    (await page.getByRole('region', { name: 'Secret' }).innerText()).trim()

  test(
    'no dialog is opening on a page whose button was not pressed',
    async () => {
      const { url, slug } = journey
      const { page } = await journey.open(await journey.person('admin'), `/o/${slug}/agents`)
      await page.addInitScript(`new MutationObserver(() => {
        if (document.body?.textContent.includes('Opening…')) globalThis.hasOpened = true
      }).observe(document, { childList: true, subtree: true })`)
      const hasOpened = () => page.evaluate<boolean>('globalThis.hasOpened === true')
      await page.goto(`${url}/o/${slug}/settings/keys`, { waitUntil: 'networkidle' })
      const create = page.getByRole('button', { name: 'New key' }).first()
      await create.waitFor()
      expect(await hasOpened()).toBe(false)
      await create.click()
      await page.getByRole('dialog').waitFor()
      expect(await hasOpened()).toBe(true)
    },
    PATIENCE_MS,
  )

  test(
    'a key is made, shown once and used, rotated while both work, and revoked',
    async () => {
      const { url, slug } = journey
      const { page, faults } = await journey.open(
        await journey.person('admin'),
        `/o/${slug}/settings/keys?create=1`,
      )
      await page.getByRole('textbox', { name: 'Name' }).fill('Website')
      await page.keyboard.press('Enter')
      const secret = await secretOn(page)
      // A second Enter copies, and Escape asks first.
      const focused = () => page.evaluate<string>('document.activeElement.ariaLabel')
      await expect.poll(focused).toBe('Copy secret')
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').getByText('It is shown only once').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
      expect(await secretOn(page)).toBe(secret)
      const size = page.viewportSize() ?? { width: 1280, height: 860 }
      await page.setViewportSize({ width: 360, height: 740 })
      expect((await page.getByRole('dialog').boundingBox())?.width).toBeLessThan(360)
      await page.setViewportSize(size)
      expect(await statusWith(secret)).toBe(200)
      const command = await page.getByRole('region', { name: 'Command for a terminal' }).innerText()
      expect(command).toContain(secret)
      expect(command).toContain('/api/v1/agents')
      await page.getByRole('button', { name: 'I have stored it' }).click()
      await page.getByRole('row', { name: /Website/ }).waitFor()
      expect(await page.content()).not.toContain(secret)

      await chooseAction(page, 'Website', 'Change…')
      const dialog = page.getByRole('dialog', { name: 'Change “Website”' })
      // A number beyond its limit is kept, with the limit beside it.
      const rate = dialog.getByRole('textbox', { name: 'Requests per minute' })
      const limit = dialog.getByText('At least 1.')
      await rate.fill('0')
      await rate.press('Tab')
      await limit.waitFor()
      expect(await rate.inputValue()).toBe('0')
      await rate.fill('10')
      await limit.waitFor({ state: 'detached' })
      // It may be typed, too.
      await rate.fill('1')
      await rate.press('Tab')
      expect(await rate.inputValue()).toBe('1')
      expect(await limit.count()).toBe(0)
      await rate.fill('90')
      await dialog.getByRole('button', { name: /Expires/ }).click()
      await page.getByRole('option', { name: 'In 30 days' }).click()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('“Website” was changed').waitFor()
      const [stored] = await journey.server.context.database.read.apiKeys
        .list(journey.server.seed.organizationId)
        .then((keys) => keys.filter((key) => key.name === 'Website'))
      expect(stored).toMatchObject({ rpm: 90, expiresAt: expect.any(Date) })
      expect(await statusWith(secret)).toBe(200)

      await chooseAction(page, 'Website', 'Rotate…')
      await page.getByRole('button', { name: /The new key expires/ }).click()
      await page.getByRole('option', { name: 'Never' }).click()
      await page.getByRole('button', { name: 'Rotate key' }).click()
      const next = await secretOn(page)
      expect(next).not.toBe(secret)
      expect([await statusWith(secret), await statusWith(next)]).toEqual([200, 200])
      const keys = await journey.server.context.database.read.apiKeys.list(journey.server.seed.organizationId)
      expect(keys.find((key) => key.name === 'Website')).toMatchObject({ expiresAt: null })
      await page.getByRole('button', { name: 'I have stored it' }).click()
      // On a phone, the last characters tell both keys apart.
      await page.setViewportSize({ width: 360, height: 740 })
      for (const key of [secret, next]) await page.getByRole('row').getByText(key.slice(-4)).first().waitFor()
      await page.setViewportSize(size)

      // Rotated without an overlap, the old one ends at once.
      await chooseAction(page, 'Website', 'Rotate…')
      await page.getByRole('button', { name: /Overlap/ }).click()
      await page.getByRole('option', { name: /None/ }).click()
      await page.getByRole('button', { name: 'Rotate key' }).click()
      const last = await secretOn(page)
      expect([await statusWith(next), await statusWith(last)]).toEqual([401, 200])
      await page.getByRole('button', { name: 'I have stored it' }).click()

      await chooseAction(page, 'Website', 'Revoke…')
      await page.getByRole('button', { name: 'Revoke key' }).click()
      await page.getByText('“Website” was revoked').waitFor()
      expect(await statusWith(last)).toBe(401)
      // Uses are written once a minute, and when the server ends.
      const { apiKeys, database } = journey.server.context
      await apiKeys.flushUses((uses) => database.apiKeyUses.flush(uses))
      await page.reload()
      await page
        .getByRole('row', { name: /Website.*ago|Website.*now/ })
        .first()
        .waitFor()
      expect(page.url()).toBe(`${url}/o/${slug}/settings/keys`)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a member sees no keys, and who may create one',
    async () => {
      const window = await journey.open(await journey.person('member'), `/o/${journey.slug}/settings/keys`)
      const { page } = window
      expect(await page.getByRole('button', { name: 'New key' }).first().isDisabled()).toBe(true)
      await page.getByRole('heading', { name: 'This page is for admins' }).waitFor()
      await page
        .getByText(/^Only admins and owners can do this/)
        .first()
        .waitFor()
      await expectGood(window, 'keys-refused')
    },
    PATIENCE_MS,
  )

  test(
    'a run is found in the explorer, opened with its answer, and run again',
    async () => {
      const { server, slug } = journey
      const { agents } = server.seed
      const ran = await server.call(`POST /api/v1/agents/${agents.organization}/run`, {
        body: { message: 'Where is my order?' },
      })
      const { page, faults } = await journey.open(
        await journey.person('member'),
        `/o/${slug}/runs?kind=agent`,
      )
      await page.getByRole('table', { name: 'Runs' }).getByRole('link').first().click()
      await page.waitForURL(new RegExp(`/runs/${String(propertyOf(ran.body, 'runId'))}$`))
      await page.getByText('Where is my order?', { exact: true }).waitFor()
      await page.getByText(': Where is my order?').waitFor()
      await expectGood({ page, faults, context: page.context() }, 'run-1280')
      await page.getByRole('button', { name: 'Run again' }).click()
      await page.waitForURL((address) => !address.pathname.endsWith(String(propertyOf(ran.body, 'runId'))))
      await expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(/completed|failed/)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test.each(WIDTHS)(
    'lists and settings have no visual faults at %d px, in light and dark',
    async (width) => {
      const { url, slug } = journey
      const window = await journey.open(await journey.person('owner'), `/o/${slug}`, { width })
      const { page } = window
      for (const path of PAGES) {
        await page.goto(`${url}/o/${slug}/${path}`)
        await page.getByRole(path.includes('create') ? 'dialog' : 'main').waitFor()
        await page.waitForLoadState('networkidle')
        await expectGood(window, `${path.replaceAll(/\W+/g, '-')}-${width}`)
      }
    },
    4 * PATIENCE_MS,
  )
})

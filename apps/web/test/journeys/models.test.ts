import type { SeededPerson } from '@troupe/test-kit/seed-person'
import { startTestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { variablesIn, withLeftOut } from '../../src/core/bundles/bundle-text.ts'
import { WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey } from './journey.ts'
import { asOperator } from './operator.ts'
import {
  configurationId,
  keptInBrowser,
  PATIENCE_MS,
  press,
  RIGHT_KEY,
  type SettingsJourney,
  startSettings,
} from './settings-journey.ts'

describe.skipIf(CHROMIUM === null)('configurations of models', () => {
  let setting: SettingsJourney
  let journey: Journey
  let owner: SeededPerson
  beforeAll(async () => {
    setting = await startSettings()
    ;({ journey, owner } = setting)
  }, 180_000)
  afterAll(() => setting?.[Symbol.asyncDispose]())

  const settings = (page: string) => `/o/${journey.slug}/settings/${page}`

  test(
    'an empty form shows all errors at once, and an error disappears with the change of its field',
    async () => {
      const { page } = await journey.open(owner, `${settings('models')}/new?provider=openai`)
      await page.getByRole('textbox', { name: 'Slug' }).fill('')
      await press(page, 'Create LLM configuration')
      await page.getByText('Not saved: 3 fields above need your attention.').waitFor()
      // The first one is the API key.
      await expect.poll(() => page.locator('input[type="password"]:focus').count()).toBe(1)
      const invalid = page.locator('input[aria-invalid="true"]')
      expect(await invalid.count()).toBe(3)
      await page.getByRole('textbox', { name: 'Add by id' }).fill('small-1')
      await page.keyboard.press('Enter')
      await page.getByText('Not saved: 2 fields above need your attention.').waitFor()
      expect(await page.getByText('Add at least one model.').count()).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'a budget in dollars names the models without a price before it is saved, and links to them',
    async () => {
      const { page } = await journey.open(owner, `${settings('budgets')}?create=1`)
      const dialog = page.getByRole('dialog', { name: 'Set a budget' })
      await dialog.getByText(/every run with a model that has no price is refused/).waitFor()
      const links = dialog.getByRole('listitem').getByRole('link')
      expect(await links.count()).toBeGreaterThan(0)
      await links.first().click()
      await page.waitForURL(/\/settings\/models\/[0-9a-f-]{36}/)
    },
    PATIENCE_MS,
  )

  test(
    'a provider of one’s own: the wrong key is named with its fix, the right one finds models and answers',
    async () => {
      const window = await journey.open(owner, `${settings('models')}/new`)
      const { page, faults } = window
      await page.getByRole('link', { name: /OpenAI-compatible/ }).click()
      await page.getByRole('textbox', { name: 'Base URL' }).fill(setting.models.url)
      await page.getByLabel(/^API key/).fill('sk-a-wrong-key')
      await page.getByRole('textbox', { name: 'Add by id' }).fill('small-1')
      await page.keyboard.press('Enter')
      await press(page, 'Test the connection')
      const fault = page.getByText(/Check that the key is complete/)
      await fault.first().waitFor()
      // In the panel of the test, and at the field that is to blame.
      expect(await fault.count()).toBe(2)
      expect(await page.getByLabel(/^API key/).getAttribute('aria-invalid')).toBe('true')
      await expectGood(window, 'models-wrong-key')

      await page.getByLabel(/^API key/).fill(RIGHT_KEY)
      expect(await fault.count()).toBe(0)
      await press(page, 'Find models')
      await page.getByRole('checkbox', { name: /large-1/ }).press('Space')
      await expectGood(window, 'models-find')
      await press(page, 'Add 1 model')
      await press(page, 'Test the connection')
      await page.getByText('small-1 answered').waitFor()
      await page.getByText('First token').waitFor()
      await expectGood(window, 'models-tested')

      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My models')
      await page.getByRole('textbox', { name: 'Slug' }).fill('mine')
      await press(page, 'Create LLM configuration')
      await page.getByText('“My models” is ready').waitFor()
      await page.getByText(/••••wxyz, set /).waitFor()
      expect(await page.content()).not.toContain(RIGHT_KEY)
      expect(await keptInBrowser(page)).not.toContain('sk-')
      await expectGood(window, 'models-created')

      await page.reload()
      await press(page, 'Test the connection')
      await page.getByText('small-1 answered').waitFor()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('as curl')
      await page.keyboard.press('Enter')
      const command = page
        .getByRole('dialog', { name: 'Show as curl' })
        .getByRole('region', { name: /Command/ })
      await expect.poll(() => command.innerText()).toMatch(/llm-configurations\/[0-9a-f-]{36}'/)
      await page.keyboard.press('Escape')
      expect(setting.models.requests.at(-1)?.headers.authorization).toBe(`Bearer ${RIGHT_KEY}`)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an edit survives a reload without its secrets, and is merged with a colleague’s save',
    async () => {
      const { context, seed } = journey.server
      const window = await journey.open(owner, settings('models'))
      const { page } = window
      await page.getByRole('link', { name: 'My models' }).click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine, renamed')
      await press(page, 'Replace API key')
      await page.getByLabel(/^API key/).fill('sk-typed-and-not-saved')
      // The edit is written to the device within 300 ms.
      await expect.poll(() => keptInBrowser(page)).toContain('Mine, renamed')
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByRole('alertdialog', { name: 'Leave and discard the secret?' }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect(await page.getByLabel(/^API key/).inputValue()).toBe('sk-typed-and-not-saved')
      expect(await keptInBrowser(page)).not.toContain('sk-typed')
      // The browser also asks before the secret is lost.
      page.on('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await page.getByText(/Secrets are never stored in the browser/).waitFor()
      expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(
        'Mine, renamed',
      )

      const stored = await context.database.read.llmConfigurations.list(seed.organizationId)
      const mine = stored.find(({ slug }) => slug === 'mine')
      const colleague = await journey.open(
        await journey.person('admin', 'Carl Colleague'),
        settings('models'),
      )
      await colleague.page.getByRole('link', { name: 'My models' }).click()
      await colleague.page.getByText('Agents may name other models of this provider, too').click()
      const heard = page.waitForResponse((response) => response.url().includes('/llm-configurations'))
      await press(colleague.page, 'Save')
      await colleague.page.getByText(/was saved/).waitFor()
      // A letter typed after the page has received the change still belongs to the earlier edit.
      await heard
      await page.getByRole('textbox', { name: 'Name', exact: true }).press('End')
      await page.keyboard.type('!')

      await press(page, 'Save')
      await page.getByRole('dialog', { name: /Carl Colleague changed this LLM configuration/ }).waitFor()
      await expectGood(window, 'models-conflict')
      await press(page, 'Merge both')
      await page.getByText('“Mine, renamed!” was saved').waitFor()
      const after = await context.database.read.llmConfigurations.list(seed.organizationId)
      expect(after.find(({ id }) => id === mine?.id)).toMatchObject({
        name: 'Mine, renamed!',
        allowUnlistedModels: true,
      })
    },
    PATIENCE_MS,
  )

  test(
    'a viewer reads a configuration and who may change it; a deleted one is reported',
    async () => {
      const viewer = await journey.person('viewer', 'Vito Viewer')
      const configuration = await configurationId(journey)
      for (const width of WIDTHS) {
        const window = await journey.open(viewer, settings(`models/${configuration}`), { width })
        await window.page
          .getByText(/not change it. Only admins and owners can do this\. Ask .*Olga Owner/)
          .waitFor()
        expect(await window.page.getByRole('textbox').count()).toBe(0)
        await expectGood(window, `models-viewer-${width}`)
      }
      const { page } = await journey.open(viewer, settings(`models/${journey.server.seed.organizationId}`))
      await page.getByRole('heading', { level: 1, name: /no longer exists/ }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'everything created here is the same after an export, an apply in an empty organization and another export',
    async () => {
      const exported = String(await asOperator(journey, 'GET /bundle'))
      for (const secret of [RIGHT_KEY, owner.password, ...Object.values(journey.server.seed.keys)]) {
        expect(exported).not.toContain(secret)
      }
      const text = withLeftOut(exported)
      const variables = Object.fromEntries(variablesIn(text).map((name) => [name, RIGHT_KEY]))
      await using empty = await startTestServer({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } })
      const { organizationId: id } = journey.server.seed
      const send = async (target: string, body?: object) => {
        const headers = { authorization: `Bearer ${empty.adminToken}` }
        const answer = await empty.call(target, { key: null, headers, ...(body ? { body } : {}) })
        expect(answer).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) })
        return answer.body
      }
      await send('POST /api/builder/v1/organizations', { id, slug: journey.slug, name: journey.slug })
      const path = `/api/builder/v1/organizations/${id}/bundle`
      expect(await send(`POST ${path}/plan`, { text, variables })).toMatchObject({ errors: [] })
      await send(`POST ${path}/apply`, { text, variables })
      expect(String(await send(`GET ${path}`))).toBe(exported)
      expect(await send(`POST ${path}/plan`, { text: exported })).toEqual({ changes: [], errors: [] })
    },
    PATIENCE_MS,
  )

  test(
    'a header that a colleague has added in the meantime is joined with an own one, not deleted',
    async () => {
      const made = {
        slug: 'gateway',
        name: 'Gateway',
        projectId: null,
        status: 'connected',
        default: false,
        baseUrl: setting.models.url,
        settings: {},
        models: [{ modelId: 'small-1' }],
        allowUnlistedModels: false,
      }
      const { llmConfigId, version } = await asOperator<{ llmConfigId: string; version: number }>(
        journey,
        'POST /llm-configurations',
        { ...made, providerId: 'openai-compatible', credentials: { apiKey: RIGHT_KEY } },
      )
      const { page, faults } = await journey.open(owner, settings(`models/${llmConfigId}`))
      const path = `/llm-configurations/${llmConfigId}`
      await page.getByText('More settings').click()
      await press(page, 'Add a header')
      await page.getByRole('textbox', { name: 'Header' }).fill('x-mine')
      await page.getByLabel('Value', { exact: true }).fill('mine')
      const heard = page.waitForResponse((response) => response.url().endsWith(path))
      const models = [{ modelId: 'small-1' }, { modelId: 'large-1' }]
      await asOperator(journey, `PUT ${path}`, {
        ...made,
        models,
        settings: { headers: { 'x-theirs': 'theirs' } },
        credentials: {},
        version,
      })
      await heard
      await press(page, 'Save')
      await page.getByRole('dialog', { name: /changed this LLM configuration/ }).waitFor()
      await press(page, 'Merge both')
      await page.getByText('“Gateway” was saved').waitFor()
      expect(await asOperator(journey, `GET ${path}`)).toMatchObject({
        settings: { headers: { 'x-mine': null, 'x-theirs': null } },
        models,
      })
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

import { readFile } from 'node:fs/promises'
import { type SeededPerson, seedPerson } from '@troupe/test-kit/seed-person'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey } from './journey.ts'
import {
  keptInBrowser,
  makeWorkflow,
  PATIENCE_MS,
  press,
  RIGHT_KEY,
  type SettingsJourney,
  startSettings,
} from './settings-journey.ts'

describe.skipIf(CHROMIUM === null)('bundles', () => {
  let setting: SettingsJourney
  let journey: Journey
  let owner: SeededPerson
  let workflow: { workflowId: string }
  beforeAll(async () => {
    setting = await startSettings()
    ;({ journey, owner } = setting)
    workflow = await makeWorkflow(setting)
  }, 180_000)
  afterAll(() => setting?.[Symbol.asyncDispose]())

  const settings = (page: string) => `/o/${journey.slug}/settings/${page}`

  test(
    'documents travel in an archive from one organization to another',
    async () => {
      const { server } = journey
      const { seed, context } = server
      const made = await server.call('POST /api/v1/knowledge-bases', { body: { name: 'Handbook' } })
      const { knowledgeBaseId } = made.body as { knowledgeBaseId: string }
      const boundary = 'journey'
      await server.call(`POST /api/v1/knowledge-bases/${knowledgeBaseId}/documents`, {
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="prices.csv"\r\n\r\nbike,900\r\n--${boundary}--\r\n`,
      })
      const here = await journey.open(owner, `${settings('bundle')}?what=some&kind=knowledge_base`)
      await here.page.getByRole('checkbox', { name: /Handbook/ }).press('Space')
      await here.page.waitForURL(/include=knowledge_base/)
      const download = here.page.waitForEvent('download')
      await here.page.getByRole('link', { name: 'Download with files (.zip)' }).press('Enter')
      const file = await (await download).path()
      const other = await seedPerson(context.database, {
        organizationId: seed.otherOrganizationId,
        role: 'admin',
        name: 'Ada Archive',
      })
      const organizations = await context.database.read.organizations.all()
      const slug = organizations.find(({ id }) => id === seed.otherOrganizationId)?.slug ?? ''
      const { page } = await journey.open(other, `/o/${slug}/settings/bundle?tab=apply`)
      await page.locator('input[type=file]').setInputFiles({
        name: 'acme.zip',
        mimeType: 'application/zip',
        buffer: await readFile(file),
      })
      await page.getByText('The files in acme.zip are applied together with this text.').waitFor()
      await press(page, 'Apply it to this organization')
      await page.getByRole('button', { name: /^Apply \d+ change/ }).press('Enter')
      await page.getByText('The bundle was applied').waitFor()
      const scope = { organizationId: seed.otherOrganizationId, projectId: null }
      const { rows } = await context.database.read.knowledge.basePage(scope, { page: 1, limit: 100 })
      expect(rows.map(({ name }) => name)).toContain('Handbook')
    },
    PATIENCE_MS,
  )

  test(
    'a workflow is exported with its agents, planned and applied in an empty organization, and nothing is left to do',
    async () => {
      const { context, seed } = journey.server
      const { workflowId } = workflow
      const here = await journey.open(owner, `${settings('bundle')}?what=some&kind=workflow`)
      await here.page.getByRole('checkbox', { name: /Answer questions/ }).press('Space')
      await here.page.waitForURL(/include=workflow/)
      const preview = here.page.getByRole('region', { name: 'Bundle', exact: true })
      await expect.poll(() => preview.innerText()).toContain('slug: answerer')
      await expectGood(here, 'bundle-export')
      const download = here.page.waitForEvent('download')
      await press(here.page, 'Download')
      const file = await (await download).path()
      const text = await readFile(file, 'utf8')
      expect(text).toContain(workflowId)
      expect(text).not.toContain(RIGHT_KEY)

      const other = await seedPerson(context.database, {
        organizationId: seed.otherOrganizationId,
        role: 'admin',
        name: 'Otto Other',
      })
      const organizations = await context.database.read.organizations.all()
      const slug = organizations.find(({ id }) => id === seed.otherOrganizationId)?.slug ?? ''
      const there = await journey.open(other, `/o/${slug}/settings/bundle?tab=apply`)
      const { page } = there
      await page.locator('input[type=file]').setInputFiles({
        name: 'acme.bundle.yaml',
        mimeType: 'application/yaml',
        buffer: Buffer.from(text),
      })
      await press(page, 'Enter them here')
      await page.getByLabel('MINE_API_KEY').fill(RIGHT_KEY)
      await page.getByRole('tab', { name: 'Export' }).click()
      await page.getByRole('tab', { name: 'Apply' }).click()
      expect(await page.getByLabel('MINE_API_KEY').inputValue()).toBe(RIGHT_KEY)
      await press(page, 'Plan')
      await press(page, 'Apply it to this organization')
      await page.getByText('Answer questions', { exact: false }).first().waitFor()
      await expectGood(there, 'bundle-plan')
      expect(await keptInBrowser(page)).not.toContain(RIGHT_KEY)
      await press(page, /^Apply \d+ changes/)
      await page.getByText('The bundle was applied').waitFor()
      await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false)
      await expectGood(there, 'bundle-applied')

      await press(page, /Apply another bundle|I have stored them/)
      await page.locator('input[type=file]').setInputFiles({
        name: 'acme.bundle.yaml',
        mimeType: 'application/yaml',
        buffer: Buffer.from(text),
      })
      await press(page, 'Plan')
      await press(page, 'Apply it to this organization')
      await page.getByText(/No changes: this organization/).waitFor()
      expect(here.faults.concat(there.faults)).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'problems of a bundle have their line, input is never lost, and secrets stay in the tab',
    async () => {
      const window = await journey.open(owner, `${settings('bundle')}?tab=apply`)
      const { page } = window
      const editor = page.getByRole('textbox', { name: 'Bundle' })
      await editor.fill(
        `apiVersion: troupe/v1\norganizations:\n  - slug: ${journey.slug}\n    name: x\n    agents:\n      - { slug: a }`,
      )
      await press(page, 'Plan')
      await page.getByRole('button', { name: 'Line 6' }).click()
      await page.getByText('organizations.0.agents.0.name').waitFor()
      await expectGood(window, 'bundle-problems')
      await expect.poll(() => keptInBrowser(page)).toContain('slug: a')
      await page.reload()
      await expect.poll(() => editor.innerText()).toContain('slug: a')

      await editor.fill('apiKeys: [{ name: ci, secret: sk-written-down-in-it }]')
      await page.getByText(/kept only in this tab/).waitFor()
      await page.getByRole('link', { name: 'Projects' }).click()
      await page.goBack()
      await expect.poll(() => editor.innerText()).toContain('sk-written-down')
      expect(await keptInBrowser(page)).not.toContain('sk-written')
    },
    PATIENCE_MS,
  )
})

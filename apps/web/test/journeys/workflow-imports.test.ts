import { difyExport, n8nExport } from '@troupe/bundles/foreign/testing/exports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { nodesOf, storedWorkflow } from './workflow-steps.ts'

const PATIENCE_MS = 90_000

const N8N = {
  ...n8nExport(
    [
      { name: 'Webhook', type: 'n8n-nodes-base.webhook' },
      {
        name: 'Ask',
        type: '@n8n/n8n-nodes-langchain.chainLlm',
        parameters: { promptType: 'define', text: '=Say {{ $json.body.text }}' },
      },
      { name: 'Send', type: 'n8n-nodes-base.slack', credentials: { slackApi: { id: '1', name: 'Ours' } } },
    ],
    [
      ['Webhook', 'Ask'],
      ['Ask', 'Send'],
    ],
  ),
  name: 'Say it',
}

describe.skipIf(CHROMIUM === null)('workflows that begin with a file or a template', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const openDialog = async (width = 1280) =>
    journey.open(await journey.person('member'), `/o/${journey.slug}/workflows?import=1`, { width })
  const fileOf = (name: string, text: string) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(text),
  })

  test.each([360, 1440])(
    'an export of n8n shows its report before the draft is created, at %i px',
    async (width) => {
      const window = await openDialog(width)
      const { page } = window
      const input = page.locator('input[type=file]')
      await input.setInputFiles(fileOf('download.json', JSON.stringify(N8N)))
      await page.getByRole('button', { name: 'Read the file' }).press('Enter')
      const report = page.getByRole('region', { name: 'Report of the import' })
      await report.getByText('Export of n8n: 2 steps, 1 step to replace').waitFor()
      await report.getByText('It used a credential of the type slackApi.').waitFor()
      await expectGood(window, `import-${width}`)
      await page.getByRole('button', { name: 'Create workflow' }).press('Enter')
      await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/)
      const [workflowId = ''] = /[0-9a-f-]{36}/.exec(page.url()) ?? []
      const stored = await storedWorkflow(journey, workflowId)
      expect(stored.name).toBe('Say it')
      expect(nodesOf(stored).map(({ name }) => name)).toEqual(
        expect.arrayContaining(['Webhook', 'Ask', 'Send']),
      )
      // A first workflow opens on the canvas where it has room.
      if (width === 1440) await page.getByRole('button', { name: /^Webhook, HTTP Request/ }).waitFor()
      else await page.getByRole('row', { name: /^Webhook/ }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'an export of Dify is read, and an unknown file is refused at its field without losing the input',
    async () => {
      const { page } = await openDialog()
      const input = page.locator('input[type=file]')
      await input.setInputFiles(fileOf('other.yaml', 'kind: Deployment\nspec: {}\n'))
      await page.getByRole('button', { name: 'Read the file' }).press('Enter')
      await page.getByText('The file is neither a workflow of n8n nor an app of Dify.').waitFor()
      expect(await page.getByRole('button', { name: 'Create workflow' }).count()).toBe(0)
      await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
      const dify = difyExport([{ id: 'start', type: 'start' }])
      await input.setInputFiles(fileOf('app.yml', JSON.stringify(dify, null, 2)))
      await page.getByRole('button', { name: 'Read the file' }).press('Enter')
      await page.getByText('Export of Dify: 1 step').waitFor()
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Mine')
    },
    PATIENCE_MS,
  )

  test.each([360, 1440])(
    'a new workflow begins with a template that a search finds, at %i px',
    async (width) => {
      const window = await journey.open(
        await journey.person('member'),
        `/o/${journey.slug}/workflows?create=1`,
        { width },
      )
      const { page } = window
      await page.getByRole('dialog').getByText('A template', { exact: true }).click()
      await page.getByText('Choose a template.').waitFor()
      await page.getByRole('textbox', { name: 'Find a template' }).fill('invoice')
      await page.getByRole('radio', { name: /Support triage/ }).waitFor({ state: 'detached' })
      await page.getByRole('dialog').getByText('Document intake with review').click()
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(
        'Document intake with review',
      )
      await page.getByRole('textbox', { name: 'Find a template' }).fill('')
      await page.getByRole('radio', { name: /Support triage/ }).waitFor()
      await expectGood(window, `gallery-${width}`)
      await page.getByRole('button', { name: 'Create workflow' }).press('Enter')
      await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/)
      const [workflowId = ''] = /[0-9a-f-]{36}/.exec(page.url()) ?? []
      expect(nodesOf(await storedWorkflow(journey, workflowId)).map(({ id }) => id)).toEqual([
        'form',
        'read',
        'check',
        'booked',
      ])
      // On a wide window a first workflow opens on the canvas, and from then on in the view that was chosen last.
      const map = page.getByRole('group', { name: 'Map of the steps' })
      const list = page.getByRole('treegrid')
      if (width < 1_000) return void (await list.waitFor())
      await map.waitFor({ state: 'attached' })
      await page.getByRole('radio', { name: 'Steps' }).press('Enter')
      await list.waitFor()
      await page.goto(`${journey.url}/o/${journey.slug}/workflows/${workflowId}`)
      await list.waitFor()
      await page.getByRole('radio', { name: 'Canvas' }).press('Enter')
      await page.goto(`${journey.url}/o/${journey.slug}/workflows/${workflowId}`)
      await map.waitFor({ state: 'attached' })
    },
    PATIENCE_MS,
  )

  test(
    'the dialog of a new workflow links to the import of a file',
    async () => {
      const { page } = await journey.open(
        await journey.person('member'),
        `/o/${journey.slug}/workflows?create=1`,
      )
      await page.getByRole('button', { name: 'Import a file instead' }).press('Enter')
      await page.getByRole('dialog', { name: 'Import a workflow' }).waitFor()
    },
    PATIENCE_MS,
  )
})

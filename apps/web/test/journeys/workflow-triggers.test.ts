import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '@troupe/test-kit/free-port'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { newWorkflow, publishedWorkflow, workflowPath } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('the webhook and the forms of a workflow', () => {
  let journey: Journey
  beforeAll(async () => {
    const port = await freePort()
    journey = await startJourney({ port, env: { TROUPE_PUBLIC_URL: `http://127.0.0.1:${port}` } })
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test(
    'the webhook works as it is copied, and its deliveries say why a call was refused',
    async () => {
      const workflowId = await publishedWorkflow(journey, 'Hook', {
        nodes: [{ id: 'request', type: 'http-request', name: 'Refund requested', config: {} }],
        edges: [],
      })
      const member = await journey.person('member', 'Mia')
      const window = await journey.open(member, workflowPath(journey, workflowId, '?tab=triggers'))
      const { page, faults } = window
      const snippet = page.getByRole('region', { name: 'The call' }).first()
      await snippet.waitFor()
      expect(await snippet.innerText()).toContain('whs_YOUR_SIGNING_SECRET')
      await page.getByRole('button', { name: 'Show secret' }).click()
      await page.getByText('It includes the secret').waitFor()
      const command = await snippet.innerText()
      expect(await outputOf('sh', command)).toMatch(/"executionId":"[0-9a-f-]{36}"/)
      await outputOf('sh', command.replace(/whs_\w+/, 'whs_wrong'))
      await journey.server.context.webhooks.recorder.flush()

      const table = page.getByRole('table', { name: 'Deliveries' })
      await table.getByText('Accepted').waitFor()
      await table.getByText('401').waitFor()
      await table.getByRole('row', { name: /Accepted/ }).press('Enter')
      const sheet = page.getByRole('dialog', { name: 'Delivery' })
      await sheet.getByText('"hello": "world"').waitFor()
      await expectGood(window, 'workflow-delivery-1280')
      await sheet.getByRole('link', { name: 'Open run' }).click()
      await expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(/completed/)

      await page.goBack()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Webhook actions' }).click()
      await page.getByRole('menuitem', { name: 'Replace address…' }).click()
      await page.getByRole('button', { name: 'Replace address', exact: true }).click()
      await page.getByText('The address was replaced').first().waitFor()
      expect(await outputOf('sh', command)).toContain('not_found')
      expect(faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'a form is made, published, sent on a phone, and its run is there',
    async () => {
      const { page } = await journey.open(
        await journey.person('owner'),
        `/o/${journey.slug}/workflows?create=1`,
      )
      await page.getByRole('textbox', { name: 'Name' }).fill('Questions')
      await page.getByText('By a form').click()
      await page.getByRole('button', { name: 'Create workflow' }).click()
      await page.getByRole('link', { name: 'Review and publish' }).click()
      await page.getByRole('button', { name: 'Publish version 1' }).click()
      await page.getByText('Version 1 is live').first().waitFor()
      await page.getByRole('tab', { name: 'Triggers' }).click()
      const link = await page.getByRole('link', { name: 'Open form' }).getAttribute('href')
      await page.getByRole('link', { name: link ?? '', exact: true }).waitFor()

      const phone = await journey.open(null, new URL(link ?? '').pathname, { width: 360 })
      await phone.page.getByLabel('Your question').fill('Where is my order?')
      await phone.page.getByRole('button', { name: 'Submit' }).click()
      await phone.page.getByText('Thank you').waitFor()
      await phone.context.close()

      await page.getByRole('tab', { name: 'Runs' }).click()
      const runs = page.getByRole('table', { name: 'Last runs' })
      await runs.getByText('Form').waitFor()
      await runs.getByRole('link').first().click()
      await page.getByText('Where is my order?').first().waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'the run of a form that is sent on a phone appears without a reload, and its steps complete one after another',
    async () => {
      const ask = (id: string, name: string) => ({
        ...{ id, type: 'ai-prompt', name },
        config: { prompt: 'Go on [[delay: 4000]]' },
      })
      const fields = [{ name: 'name', label: 'Name', type: 'text' }]
      const workflowId = await publishedWorkflow(journey, 'Watched', {
        nodes: [
          { id: 'form', type: 'form-trigger', name: 'Form', config: { title: 'Ask us', fields } },
          ask('first', 'Read it'),
          ask('second', 'Answer it'),
        ],
        edges: [
          { id: 'e1', source: 'form', target: 'first' },
          { id: 'e2', source: 'first', target: 'second' },
        ],
      })
      const { page, faults, context } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?tab=triggers'),
      )
      const link = await page.getByRole('link', { name: 'Open form' }).getAttribute('href')
      await page.getByRole('tab', { name: 'Runs' }).click()
      await page.getByText('No runs yet').first().waitFor()
      await page.evaluate('window.isFormer = true')

      const phone = await journey.open(null, new URL(link ?? '').pathname, { width: 360 })
      await phone.page.getByLabel('Name').fill('Eva')
      await phone.page.getByRole('button', { name: 'Submit' }).click()
      await phone.page.getByText('Thank you').waitFor()
      const runs = page.getByRole('table', { name: 'Last runs' })
      await runs.getByText('Form').waitFor()
      await runs.getByRole('link').first().click()

      const steps = page.getByRole('table', { name: 'Steps' })
      const isIn = (name: string, state: string) =>
        steps.getByRole('row', { name }).getByText(state, { exact: true }).first().waitFor()
      await isIn('Read it', 'Running')
      expect(await steps.getByRole('row', { name: 'Answer it' }).count()).toBe(0)
      await isIn('Answer it', 'Running')
      await isIn('Read it', 'Completed')
      await isIn('Answer it', 'Completed')
      await expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(/^Watched: completed/)
      expect(await page.evaluate('window.isFormer')).toBe(true)
      expect([...faults, ...phone.faults]).toEqual([])
      await Promise.all([context.close(), phone.context.close()])
    },
    PATIENCE_MS,
  )

  test(
    'the password of a published form is changed on its page, and the previous one opens it no more',
    async () => {
      const config = {
        title: 'For the press',
        fields: [{ name: 'name', label: 'Name', type: 'text' }],
        auth: { mode: 'basic', username: 'press' },
      }
      const workflowId = await newWorkflow(journey, 'Press', {
        nodes: [{ id: 'form', type: 'form-trigger', name: 'Form', config }],
        edges: [],
      })
      await asOperator(journey, `POST /workflows/${workflowId}/publish`, {
        draftRevision: 1,
        formPassword: 'first secret',
      })
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?tab=triggers'),
      )
      await page.getByRole('button', { name: 'Change password…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('New password').fill('é'.repeat(37))
      await dialog.getByRole('button', { name: 'Change password' }).click()
      await dialog.getByText('must have at most 72 bytes in UTF-8').waitFor()
      await dialog.getByLabel('New password').fill('second secret')
      await dialog.getByRole('button', { name: 'Change password' }).click()
      await page.getByText('The password was changed').first().waitFor()
      const link = await page.getByRole('link', { name: 'Open form' }).getAttribute('href')
      const token = new URL(link ?? '').pathname.split('/').at(-1)
      const statusWith = async (password: string) => {
        const authorization = `Basic ${Buffer.from(`press:${password}`).toString('base64')}`
        const form = new URL(`/api/v1/forms/${token}`, link ?? '')
        return (await fetch(form, { headers: { authorization } })).status
      }
      expect([await statusWith('first secret'), await statusWith('second secret')]).toEqual([401, 200])
      // A refused password is a failed request, which the browser's console names.
      expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
    },
    PATIENCE_MS,
  )
})

/** The output of a program for an input; fails if it does. */
async function outputOf(command: string, input: string): Promise<string> {
  const child = spawn(command, [], { stdio: ['pipe', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk
    })
  }
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${text}`)
  return text
}

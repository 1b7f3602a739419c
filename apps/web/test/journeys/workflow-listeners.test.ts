import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { propertyOf } from '@troupe/contract'
import { freePort } from '@troupe/test-kit/free-port'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { newWorkflow, workflowPath } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 120_000

const ORDERS = {
  nodes: [
    {
      id: 'hook',
      type: 'http-request',
      name: 'Order',
      config: { fields: [{ name: 'orderId', type: 'string', required: true }] },
    },
    { id: 'keep', type: 'edit-fields', name: 'Keep', config: { rows: [{ name: 'order', value: '' }] } },
  ],
  edges: [{ id: 'a', source: 'hook', target: 'keep' }],
}

const CONTACT = {
  nodes: [
    {
      id: 'form',
      type: 'form-trigger',
      name: 'Contact',
      config: {
        title: 'Write to us',
        fields: [{ name: 'email', label: 'Email', type: 'email', required: true }],
      },
    },
    { id: 'keep', type: 'edit-fields', name: 'Keep', config: { rows: [{ name: 'from', value: '' }] } },
  ],
  edges: [{ id: 'a', source: 'form', target: 'keep' }],
}

describe.skipIf(CHROMIUM === null)('a person who listens', () => {
  let journey: Journey
  beforeAll(async () => {
    const port = await freePort()
    journey = await startJourney({ port, env: { TROUPE_PUBLIC_URL: `http://127.0.0.1:${port}` } })
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const open = async (workflowId: string, node: string, width = 1_440) =>
    journey.open(await journey.person('member'), workflowPath(journey, workflowId, `?node=${node}`), {
      width,
    })

  /** The sample values of the first trigger. */
  const sampleOf = async (workflowId: string) =>
    (await asOperator<{ data: { output: unknown }[] }>(journey, `GET /workflows/${workflowId}/pins`)).data[0]
      ?.output

  /** Runs a command as a user pastes it into a shell. */
  const shell = async (command: string) => {
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { timeout: 30_000 })
    return stdout
  }

  test(
    'sends the call as it is copied, takes its body as the sample, and completes tokens from it',
    async () => {
      const workflowId = await newWorkflow(journey, 'Orders', ORDERS)
      const window = await open(workflowId, 'hook')
      const { page } = window
      await page.getByRole('button', { name: 'Listen', exact: true }).click()
      const call = page.getByRole('region', { name: 'The test call' })
      await call.waitFor()
      const command = (await call.innerText()).trim()
      expect(command).toContain('/trigger-test/')
      expect(command).not.toContain('YOUR_SIGNING_SECRET')
      const body = `{"orderId":"A-7","customer":{"name":"Ana"}}`
      const asSent = command.replace(/BODY='[^']*'/, `BODY='${body}'`)
      expect(propertyOf(JSON.parse(await shell(asSent)), 'executionId')).toEqual(expect.any(String))
      // The copied call itself, with the body of the draft.
      expect(propertyOf(JSON.parse(await shell(command)), 'executionId')).toEqual(expect.any(String))
      const calls = page.getByRole('region', { name: 'Calls' })
      await expect.poll(() => calls.getByText('Accepted', { exact: true }).count()).toBe(2)
      // A wrong signature is reported here only: its sender gets the response to any unauthenticated call.
      const wrong = asSent.replace(/-hmac '[^']*'/, `-hmac 'whs_of_somebody_else'`)
      expect(JSON.parse(await shell(wrong))).toEqual({
        error: 'unauthorized',
        message: 'The request could not be authenticated.',
      })
      await calls.getByText('Wrong signature', { exact: true }).waitFor()
      expect(await calls.getByRole('status').innerText()).toBe('Call received: Wrong signature')
      await calls.getByText('Wrong signature', { exact: true }).click()
      await calls.getByText('X-Service-Signature does not match').waitFor()
      // Nothing is lost by a reload, but the secret is shown again only to a press.
      await page.reload()
      await calls.getByText('Wrong signature', { exact: true }).waitFor()
      expect(await call.innerText()).toContain('YOUR_SIGNING_SECRET')
      await page.getByRole('button', { name: 'Show secret' }).press('Enter')
      await expect.poll(async () => (await call.innerText()).trim()).toBe(command)
      await expectGood(window, 'workflow-listeners-1440')
      // The oldest call is the one with the customer.
      await calls.getByText('Accepted', { exact: true }).last().click()
      await calls.getByText('content-type: application/json').waitFor()
      await calls.getByRole('button', { name: 'Use as sample' }).press('Enter')
      await expect.poll(() => sampleOf(workflowId)).toEqual(JSON.parse(body))
      const keep = await open(workflowId, 'keep&edit=1')
      const value = keep.page.getByRole('textbox', { name: 'Value', exact: true })
      await value.pressSequentially('{{cust')
      const options = keep.page.getByRole('listbox', { name: 'Tokens to insert' }).getByRole('option')
      await options.filter({ hasText: 'trigger.body.customer.name' }).first().waitFor()
      await value.fill('{{ trigger.body.customer.name }}')
      // The text with the value of the sample: nothing has run yet.
      await keep.page.getByText('Preview').locator('..').getByText('Ana').waitFor()
      const runs = await asOperator<{ data: unknown[] }>(
        journey,
        `GET /runs?kind=workflow&entityId=${workflowId}`,
      )
      expect(runs.data).toEqual([])
      await keep.context.close()
      // The draft is run with the call.
      await calls.getByRole('button', { name: 'Test with it…' }).click()
      const dialog = page.getByRole('dialog')
      const orderId = dialog.getByRole('textbox', { name: 'orderId' })
      await expect.poll(() => orderId.inputValue()).toBe('A-7')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByRole('button', { name: 'Listen', exact: true }).waitFor()
      expect(propertyOf(JSON.parse(await shell(asSent)), 'error')).toBe('workflow_not_found')
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'opens the form of the draft on a phone, and uses a submission as the sample',
    async () => {
      const workflowId = await newWorkflow(journey, 'Contact', CONTACT)
      const window = await open(workflowId, 'form', 360)
      const { page } = window
      await page.getByRole('button', { name: 'Listen', exact: true }).click()
      const link = page.getByRole('link', { name: 'Open the form' })
      const url = (await link.getAttribute('href')) ?? ''
      expect(url).toContain('/forms/preview/')
      const visitor = await journey.open(null, new URL(url).pathname, { width: 360 })
      await visitor.page.getByText('Test form.').waitFor()
      await expectGood(visitor, 'workflow-listeners-form-360')
      await visitor.page.getByRole('button', { name: 'Submit' }).click()
      await visitor.page.getByRole('heading', { name: 'Please check your answers' }).waitFor()
      await visitor.page.getByLabel('Email').fill('ana@example.com')
      await visitor.page.getByRole('button', { name: 'Submit' }).click()
      await visitor.page.getByText('Thank you. Your answer was received.').waitFor()
      const calls = page.getByRole('region', { name: 'Calls' })
      await calls.getByText('Refused', { exact: true }).waitFor()
      await calls.getByText('Accepted', { exact: true }).click()
      await calls.getByText('ana@example.com').waitFor()
      await expectGood(window, 'workflow-listeners-360')
      await calls.getByRole('button', { name: 'Use as sample' }).click()
      await expect.poll(() => sampleOf(workflowId)).toEqual({ email: 'ana@example.com' })
    },
    PATIENCE_MS,
  )
})

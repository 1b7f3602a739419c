import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { freePort } from '@troupe/test-kit/free-port'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from './held-calls.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { newWorkflow, nodesOf, renameStep, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 120_000

const ORDERS = {
  nodes: [
    {
      id: 'hook',
      type: 'http-request',
      name: 'Order',
      config: {
        fields: [
          { name: 'orderId', type: 'string', required: true },
          { name: 'amount', type: 'number' },
          { name: 'gift', type: 'boolean' },
        ],
      },
    },
    { id: 'keep', type: 'edit-fields', name: 'Keep', config: { rows: [{ name: 'id', value: '' }] } },
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
        fields: [
          { name: 'email', label: 'Your email', type: 'email', required: true },
          { name: 'topic', label: 'Topic', type: 'dropdown', options: ['Order', 'Bill'] },
        ],
      },
    },
    { id: 'keep', type: 'edit-fields', name: 'Keep', config: { rows: [{ name: 'from', value: '' }] } },
  ],
  edges: [{ id: 'a', source: 'form', target: 'keep' }],
}

describe.skipIf(CHROMIUM === null)('a person with a trigger without calls', () => {
  let journey: Journey
  beforeAll(async () => {
    const port = await freePort()
    journey = await startJourney({ port, env: { TROUPE_PUBLIC_URL: `http://127.0.0.1:${port}` } })
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const open = async (workflowId: string, search: string, width = 1_440) =>
    journey.open(await journey.person('member'), workflowPath(journey, workflowId, search), { width })
  const pins = async (workflowId: string) =>
    (
      await asOperator<{ data: { nodeId: string; output: unknown }[] }>(
        journey,
        `GET /workflows/${workflowId}/pins`,
      )
    ).data

  test(
    'completes and previews tokens from generated values, edits them, and fills them from the last call',
    async () => {
      const workflowId = await newWorkflow(journey, 'Orders', ORDERS)
      const keep = await open(workflowId, '?node=keep&edit=1')
      const value = keep.page.getByRole('textbox', { name: 'Value', exact: true })
      await value.fill('{{ trigger.body.orderId }}')
      const preview = keep.page.getByText('Preview').locator('..')
      await preview.getByText('A-1001').waitFor()
      const window = await open(workflowId, '?node=hook')
      const { page } = window
      const samples = page.getByRole('region', { name: 'Sample values' })
      const order = samples.getByRole('textbox', { name: 'orderId' })
      expect(await order.inputValue()).toBe('A-1001')
      await samples.getByText('Generated from names and types').waitFor()
      await order.fill('B-7')
      await samples.getByText('Saved', { exact: true }).waitFor()
      // Keys during a save are neither lost nor left unsaved, and saves follow each other.
      const slow = /\/pins\/hook$/
      const saves: unknown[] = []
      await page.route(slow, async (route) => {
        saves.push(route.request().postDataJSON().output.orderId)
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await route.continue()
      })
      const sending = page.waitForRequest(slow)
      await order.fill('B-')
      await sending
      await order.fill('B-7')
      await expect.poll(() => saves.length, { timeout: 10_000 }).toBe(2)
      await samples.getByText('Saved', { exact: true }).waitFor()
      expect([await order.inputValue(), saves]).toEqual(['B-7', ['B-', 'B-7']])
      await page.unrouteAll({ behavior: 'wait' })
      expect(await pins(workflowId)).toMatchObject([
        { nodeId: 'hook', output: { orderId: 'B-7', gift: true } },
      ])
      await expectGood(window, 'workflow-samples-1440')
      // The draft itself does not have them.
      expect(JSON.stringify(await storedWorkflow(journey, workflowId))).not.toContain('B-7')
      await keep.page.reload()
      await preview.getByText('B-7').waitFor()
      await keep.context.close()
      await page.getByRole('button', { name: 'Listen', exact: true }).click()
      const call = page.getByRole('region', { name: 'The test call' })
      await call.waitFor()
      const command = (await call.innerText()).trim()
      expect(command).toContain('"orderId":"B-7"')
      expect(
        await samples.getByRole('button', { name: 'Fill from the last call' }).getAttribute('aria-disabled'),
      ).toBe('true')
      const sent = command.replace(/BODY='[^']*'/, `BODY='{"orderId":"C-9","customer":{"name":"Ana"}}'`)
      await promisify(execFile)('sh', ['-c', sent], { timeout: 30_000 })
      await page.getByRole('region', { name: 'Calls' }).getByText('Accepted', { exact: true }).waitFor()
      await samples.getByRole('button', { name: 'Fill from the last call' }).press('Enter')
      await expect.poll(() => order.inputValue()).toBe('C-9')
      // The call has a value that no field declares.
      await samples.getByText('Other values').waitFor()
      await page.goto(new URL(`${workflowPath(journey, workflowId)}?node=keep&edit=1`, page.url()).href)
      await page.getByRole('textbox', { name: 'Value', exact: true }).fill('{{ trigger.body.customer.name }}')
      await page.getByText('Preview').locator('..').getByText('Ana').waitFor()
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'is told that sample values wait for a draft with a conflict, and they are saved once it is decided',
    async () => {
      const workflowId = await newWorkflow(journey, 'Contested', ORDERS)
      const window = await open(workflowId, '?node=hook')
      const { page } = window
      const samples = page.getByRole('region', { name: 'Sample values' })
      await samples.getByRole('textbox', { name: 'orderId' }).waitFor()
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const saving = await hold(page, 'POST', /\/draft$/)
      await page.getByRole('textbox', { name: 'Name of the step' }).fill('Mine')
      await expect.poll(() => saving.held.length).toBe(1)
      await renameStep(journey, workflowId, 'hook', 'Theirs')
      await saving.release()
      await page.getByText('Not saved: there is a conflict.').first().waitFor()
      await page.getByRole('button', { name: 'Close editor' }).click()
      await samples.getByRole('textbox', { name: 'orderId' }).fill('B-8')
      await samples.getByText('Not saved: there is a conflict. It is kept on this device.').waitFor()
      await expectGood(window, 'workflow-samples-conflict-1440')
      expect(await pins(workflowId)).toEqual([])
      await samples.getByRole('button', { name: 'Choose…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Save my choice' }).click()
      await samples.getByText('Saved', { exact: true }).waitFor()
      expect(await pins(workflowId)).toMatchObject([{ nodeId: 'hook', output: { orderId: 'B-8' } }])
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'edits a form beside its page, which follows each key, at full width and behind a tab on a phone',
    async () => {
      const workflowId = await newWorkflow(journey, 'Contact', CONTACT)
      const window = await open(workflowId, '?node=form')
      const { page } = window
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const shown = page.frameLocator('iframe[title="Preview of the form"]')
      await shown.getByRole('heading', { name: 'Write to us' }).waitFor()
      expect(await page.getByRole('textbox', { name: 'Title', exact: true }).isVisible()).toBe(true)
      await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Ask us')
      await shown.getByRole('heading', { name: 'Ask us' }).waitFor()
      const labels = () => shown.locator('form label').allInnerTexts()
      expect((await labels()).map((text) => text.trim())).toEqual([
        expect.stringContaining('Your email'),
        expect.stringContaining('Topic'),
      ])
      // The second question is moved up by the keyboard.
      await page.getByRole('button', { name: /^Move .*2/ }).press('ArrowUp')
      await expect.poll(async () => (await labels())[0]).toContain('Topic')
      await expect
        .poll(async () => JSON.stringify(nodesOf(await storedWorkflow(journey, workflowId))[0]?.config))
        .toMatch(/topic.*email/)
      await expectGood(window, 'workflow-form-page-1440')
      // The page stays beside the fields that are edited, also beside the last ones.
      await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Ask')
      await page.getByText('Accent color').scrollIntoViewIfNeeded()
      const top = async () => (await page.locator('iframe').boundingBox())?.y ?? -1
      await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(300)
      await expect.poll(top).toBeGreaterThanOrEqual(0)
      await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Ask us')
      await page.getByRole('button', { name: 'Page at full width' }).click()
      await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor({ state: 'hidden' })
      await shown.getByRole('heading', { name: 'Ask us' }).waitFor()
      await page.getByRole('button', { name: 'Beside the fields' }).click()
      await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor()
      expect(window.faults).toEqual([])
      const phone = await open(workflowId, '?node=form&edit=1', 360)
      expect(await phone.page.locator('iframe').isVisible()).toBe(false)
      await phone.page.getByRole('radio', { name: 'Page', exact: true }).click()
      await phone.page
        .frameLocator('iframe[title="Preview of the form"]')
        .getByRole('heading', { name: 'Ask us' })
        .waitFor()
      await expectGood(phone, 'workflow-form-page-360')
      // The last tab of the page is wholly in view once it is selected, including by its address.
      await phone.page.goto(new URL(workflowPath(journey, workflowId, '?tab=publish'), phone.page.url()).href)
      const publish = phone.page.getByRole('tab', { name: 'Publish', selected: true })
      const edges = async () => {
        const box = await publish.boundingBox()
        return box && [Math.round(box.x) >= 0, Math.round(box.x + box.width) <= 360]
      }
      await expect.poll(edges).toEqual([true, true])
      await phone.page.getByRole('tab', { name: 'Editor' }).click()
      await publish.waitFor({ state: 'detached' })
      await phone.page.getByRole('tab', { name: 'Publish' }).click()
      await expect.poll(edges).toEqual([true, true])
      expect(phone.faults).toEqual([])
      // The check and the preview find the same fault: it is one sentence with one repair.
      const keep = await open(workflowId, '?node=keep&edit=1')
      await keep.page.getByRole('textbox', { name: 'Value', exact: true }).fill('{{ trigger.body.emial }}')
      const editor = keep.page.getByRole('complementary')
      await editor.getByText(/"emial" is not in the form/).waitFor()
      await expect.poll(() => editor.getByText(/could not resolve/).count()).toBe(0)
      expect(await keep.page.getByRole('button', { name: 'Use trigger.body.email' }).count()).toBe(1)
      // The whole body belongs to no single step.
      await keep.page.getByRole('textbox', { name: 'Value', exact: true }).fill('')
      await keep.page.getByRole('textbox', { name: 'Value', exact: true }).pressSequentially('{{')
      const offered = keep.page.getByRole('listbox', { name: 'Tokens to insert' }).getByRole('option')
      await offered.filter({ hasText: /^trigger\.body\n?\{.*Start · object$/s }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'generates the sample again while a save is under way, and the saved values do not come back',
    async () => {
      const workflowId = await newWorkflow(journey, 'Generated again', ORDERS)
      const window = await open(workflowId, '?node=hook')
      const { page } = window
      const samples = page.getByRole('region', { name: 'Sample values' })
      const order = samples.getByRole('textbox', { name: 'orderId' })
      await order.fill('B-7')
      await samples.getByText('Saved', { exact: true }).waitFor()
      const saving = await hold(page, 'PUT', /\/pins\/hook$/)
      await order.fill('B-8')
      await expect.poll(() => saving.held.length).toBe(1)
      await samples.getByRole('button', { name: 'Generate again' }).click()
      await saving.release()
      await samples.getByText('Generated from names and types').waitFor()
      expect(await pins(workflowId)).toEqual([])
      await expect.poll(() => order.inputValue()).toBe('A-1001')
      // Input after the press is an edit of the generated values.
      await order.fill('B-9')
      await samples.getByText('Saved', { exact: true }).waitFor()
      expect(await pins(workflowId)).toMatchObject([{ nodeId: 'hook', output: { orderId: 'B-9' } }])
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

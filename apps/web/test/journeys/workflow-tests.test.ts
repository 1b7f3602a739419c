import type { RunDetail } from '@troupe/contract/builder'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchMouseOff } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { edge, ORDERS, ORDERS_OF_A_DAY, step } from './orders-graph.ts'
import { newWorkflow, publishedWorkflow, storedWorkflow, workflowPath } from './workflow-steps.ts'

const PATIENCE_MS = 300_000
const WAIT = { timeout: 20_000, interval: 100 }

/** A model writes a greeting, which the last step reads. */
const GREETING = {
  nodes: [
    { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
    {
      id: 'write',
      type: 'ai-prompt',
      name: 'Write a greeting',
      config: { prompt: 'Greet {{ trigger.name }}' },
    },
    step('send', 'Send it', {
      config: { rows: [{ name: 'text', value: '{{ upstream.write.output.text }}' }] },
    }),
  ],
  edges: [edge('start', 'write'), edge('write', 'send')],
}

/** A review whose two branches lead to steps that read it. */
const APPROVAL = {
  nodes: [
    { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
    { id: 'approve', type: 'human-review', name: 'Approve', config: { title: 'Fine?' } },
    step('pay', 'Pay', { config: { rows: [{ name: 'text', value: '{{ trigger.total }}' }] } }),
    step('refuse', 'Refuse', {
      config: {
        rows: [
          {
            name: 'text',
            value:
              '{{ upstream.approve.output.decision }}, {{ trigger.total }}, {{ upstream.approve.output.comment }}',
          },
        ],
      },
    }),
  ],
  edges: [
    edge('start', 'approve'),
    edge('approve', 'pay', 'approved'),
    edge('approve', 'refuse', 'rejected'),
  ],
}

const TWO_TRIGGERS = {
  nodes: [
    { id: 'hand', type: 'manual-trigger', name: 'By hand', config: {} },
    { id: 'hook', type: 'http-request', name: 'By a webhook', config: {} },
    step('after-hand', 'After a press'),
    step('after-hook', 'After a call', {
      config: { rows: [{ name: 'text', value: '{{ trigger.body.order }}' }] },
    }),
  ],
  edges: [edge('hand', 'after-hand'), edge('hook', 'after-hook')],
}

const ORDER_FORM = {
  nodes: [
    {
      id: 'form',
      type: 'form-trigger',
      name: 'Order form',
      config: {
        title: 'Order',
        fields: [
          { name: 'email', label: 'Your email', type: 'email', required: true },
          { name: 'size', label: 'Which size?', type: 'dropdown', options: ['Small', 'Large'] },
          { name: 'count', label: 'How many?', type: 'number', min: 1 },
        ],
      },
    },
    {
      id: 'hook',
      type: 'http-request',
      name: 'Order by a call',
      config: {
        fields: [
          { name: 'orderId', type: 'string', required: true },
          { name: 'amount', type: 'number' },
          { name: 'gift', type: 'boolean' },
        ],
      },
    },
    step('take', 'Take it', { config: { rows: [{ name: 'order', value: '{{ trigger }}' }] } }),
  ],
  edges: [edge('form', 'take'), edge('hook', 'take')],
}

const VISIT_FORM = {
  nodes: [
    {
      id: 'form',
      type: 'form-trigger',
      name: 'Visit form',
      config: {
        title: 'Visit',
        fields: [
          { name: 'name', label: 'Your name', type: 'text' },
          { name: 'pin', label: 'Your PIN', type: 'password', required: true },
        ],
      },
    },
    step('take', 'Take it'),
  ],
  edges: [edge('form', 'take')],
}

const focused = (page: Page) => page.locator(':focus')

describe.skipIf(CHROMIUM === null)('tests of a draft', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 240_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const runOf = (page: Page) => new URL(page.url()).searchParams.get('run')
  const ended = async (page: Page) => {
    await page.waitForURL((url) => url.searchParams.get('run') !== null)
    const read = () => asOperator<RunDetail>(journey, `GET /runs/${runOf(page)}`)
    await expect.poll(async () => (await read()).status, WAIT).toBe('completed')
    return read()
  }

  test(
    'a step of a draft that was never published is tested with typed values, by the keyboard',
    async () => {
      const workflowId = await newWorkflow(journey, 'Greetings', GREETING)
      const window = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=send'),
        { width: 1_440 },
      )
      const { page } = window
      const panel = page.getByRole('complementary', { name: 'Send it' })
      await panel.getByRole('button', { name: 'Test' }).waitFor()
      await switchMouseOff(window)
      await panel.getByRole('button', { name: 'Test' }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Test “Send it”' })
      await dialog.getByRole('heading', { name: 'Has no result' }).waitFor()
      const value = dialog.getByRole('textbox', { name: '{{ upstream.write.output.text }}' })
      await value.focus()
      await page.keyboard.insertText('Hello Eva')
      await dialog.getByRole('heading', { name: 'Takes a stored result' }).waitFor()
      await expectGood(window, 'test-typed-values')
      const start = dialog.getByRole('button', { name: 'Start the test' })
      await expect.poll(() => start.isEnabled(), WAIT).toBe(true)
      await start.focus()
      await page.keyboard.press('Enter')
      const run = await ended(page)
      expect(run).toMatchObject({ isTest: true, versionId: expect.any(String) })
      expect(run.workflowRun?.nodes.map(({ nodeId, seeded }) => [nodeId, seeded?.origin ?? null])).toEqual([
        ['start', null],
        ['write', 'typed'],
        ['send', null],
      ])
      const map = page.getByRole('group', { name: 'Map of the steps' })
      await map.getByRole('button', { name: /^Write a greeting.*took a stored result/ }).waitFor()
      await map.getByRole('button', { name: /^Send it.*completed/ }).waitFor()
      await page.getByText('Test', { exact: true }).first().waitFor()
      await expectGood(window, 'test-on-the-map')
      expect((await storedWorkflow(journey, workflowId)).deployment).toBeNull()
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a failed run is repaired from its failed step on the mended draft',
    async () => {
      const workflowId = await publishedWorkflow(journey, 'Orders', ORDERS)
      const started = await asOperator<{ executionId: string }>(
        journey,
        `POST /workflows/${workflowId}/runs`,
        {
          payload: ORDERS_OF_A_DAY,
        },
      )
      const read = () => asOperator<RunDetail>(journey, `GET /runs/${started.executionId}`)
      await expect.poll(async () => (await read()).status, WAIT).toBe('failed')
      // The third order has no price; the repaired step takes its size.
      const node = step('price', 'Take the price', {
        parentId: 'each',
        config: { rows: [{ name: 'price', value: '{{ loop.item.size }}' }] },
      })
      const { draftRevision } = await storedWorkflow(journey, workflowId)
      await asOperator(journey, `POST /workflows/${workflowId}/draft`, {
        draftRevision,
        changes: [{ put: { node } }],
      })

      const window = await journey.open(
        await journey.person('member', 'Eva'),
        `/o/${journey.slug}/runs/${started.executionId}`,
        { width: 1_440 },
      )
      const { page } = window
      const rerun = page.getByRole('link', { name: 'Rerun from the failed step' })
      await rerun.waitFor()
      await switchMouseOff(window)
      await rerun.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Test “Take the price”' })
      expect(await dialog.getByRole('radio', { name: /^From a step onward/ }).isChecked()).toBe(true)
      await dialog.getByText('Take the price, in the chosen iteration', { exact: false }).first().waitFor()
      const start = dialog.getByRole('button', { name: 'Start the test' })
      await expect.poll(() => start.isEnabled(), WAIT).toBe(true)
      await expectGood(window, 'test-from-failed-step')
      await start.focus()
      await page.keyboard.press('Enter')
      const run = await ended(page)
      expect(run.workflowRun?.test?.scope).toEqual({ kind: 'from', nodeId: 'price', path: 'each[2]' })
      await page.getByRole('button', { name: /^Send the list.*completed/ }).waitFor()
      expect(await focused(page).count()).toBe(1)
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a past run is the source, the other branch is taken, and the step after it runs with that branch’s output',
    async () => {
      const workflowId = await publishedWorkflow(journey, 'Approvals', APPROVAL)
      const person = await journey.person('owner', 'Ana')
      const window = await journey.open(person, workflowPath(journey, workflowId, '?node=refuse'), {
        width: 360,
      })
      const { page } = window
      const answered = await asOperator<{ executionId: string }>(
        journey,
        `POST /workflows/${workflowId}/runs`,
        {
          payload: { total: 12 },
        },
      )
      const sourceId = answered.executionId
      const read = () => asOperator<RunDetail>(journey, `GET /runs/${sourceId}`)
      await expect.poll(async () => (await read()).workflowRun?.reviews.length, WAIT).toBe(1)
      const [review] = (await read()).workflowRun?.reviews ?? []
      const { revision } = await asOperator<{ revision: string }>(journey, `GET /reviews/${review?.reviewId}`)
      const { organizationId } = journey.server.seed
      const decided = await page.request.post(
        `${journey.url}/api/builder/v1/organizations/${organizationId}/reviews/${review?.reviewId}/decision`,
        {
          data: { decision: 'approve', comment: 'Fine by me', revision },
          headers: { origin: journey.url },
        },
      )
      expect(decided.status()).toBe(200)
      await expect.poll(async () => (await read()).status, WAIT).toBe('completed')
      await page.reload()
      await page.getByRole('dialog').getByRole('button', { name: 'Test' }).click()
      const dialog = page.getByRole('dialog', { name: 'Test “Refuse”' })
      // Without a past run there is no source, and the form requires a value.
      await dialog.getByRole('heading', { name: 'Has no result' }).waitFor()
      await dialog.getByRole('button', { name: /Results from/ }).click()
      await page.getByRole('option', { name: /completed/ }).click()
      await dialog.getByRole('heading', { name: 'Is not reached' }).waitFor()
      await dialog.getByText('"Approve" takes approved, and rejected leads here').waitFor()
      await expectGood(window, 'test-other-way-360')
      await dialog.getByRole('button', { name: 'Take “rejected” at Approve' }).click()
      await dialog.getByRole('button', { name: /^Approve takes “rejected”/ }).waitFor()
      const start = dialog.getByRole('button', { name: 'Start the test' })
      await expect.poll(() => start.isEnabled(), WAIT).toBe(true)
      await expectGood(window, 'test-way-taken-360')
      await start.click()
      const run = await ended(page)
      expect(run.workflowRun?.output).toEqual({ text: 'rejected, 12, Fine by me' })
      expect(run.workflowRun?.test?.scope).toMatchObject({ kind: 'only', nodeId: 'refuse' })
      await page.getByRole('button', { name: /^Refuse.*completed/ }).waitFor()
      // The choice above the canvas follows the test.
      await page.getByRole('button', { name: /^Test .*, completed/ }).waitFor()
      await expectGood(window, 'test-on-the-map-360')
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'of several triggers the selected one starts the test, with its payload, and the plan lists the steps that only the others reach',
    async () => {
      const workflowId = await newWorkflow(journey, 'Two triggers', TWO_TRIGGERS)
      const window = await journey.open(await journey.person('member'), workflowPath(journey, workflowId))
      const { page } = window
      await page.getByRole('button', { name: 'Test', exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Test the draft' })
      await dialog.getByRole('button', { name: /Trigger/ }).click()
      await page.getByRole('option', { name: 'By a webhook' }).click()
      const payload = dialog.getByRole('textbox', { name: 'Payload' })
      await payload.click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText('{"body": {"order": "W-7"}}')
      await dialog.getByText(/^After a press.*another trigger starts the test/).waitFor()
      await expectGood(window, 'test-triggers')
      const start = dialog.getByRole('button', { name: 'Start the test' })
      await expect.poll(() => start.isEnabled(), WAIT).toBe(true)
      await start.click()
      const run = await ended(page)
      const executed = run.workflowRun?.nodes.filter(({ status }) => status === 'completed')
      expect(executed?.map(({ nodeId }) => nodeId)).toEqual(['hook', 'after-hook'])
      expect(run.workflowRun?.output).toEqual({ text: 'W-7' })
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the payload of a trigger with fields is edited in its fields or as JSON, and bad input is named at its field',
    async () => {
      const workflowId = await newWorkflow(journey, 'Orders by form', ORDER_FORM)
      const window = await journey.open(await journey.person('member'), workflowPath(journey, workflowId))
      const { page } = window
      await page.getByRole('button', { name: 'Test', exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Test the draft' })
      const start = dialog.getByRole('button', { name: 'Start the test' })
      // A manual call has the sample values of its trigger.
      const order = dialog.getByRole('textbox', { name: 'orderId' })
      expect(await order.inputValue()).toBe('A-1001')
      await order.fill('')
      await dialog.getByText('Is required', { exact: true }).waitFor()
      await dialog.getByText('Correct these fields first: orderId.').waitFor()
      expect(await start.isDisabled()).toBe(true)
      await expectGood(window, 'test-payload-fault')
      await order.fill('B-7')
      await dialog.getByRole('textbox', { name: /amount/ }).fill('')
      await dialog.getByRole('button', { name: /gift/ }).click()
      await page.getByRole('option', { name: 'False' }).click()
      await dialog.getByRole('radio', { name: 'JSON' }).click()
      const json = dialog.getByRole('textbox', { name: 'Payload' })
      expect(JSON.parse((await json.innerText()).replaceAll('\u00a0', ' '))).toEqual({
        orderId: 'B-7',
        gift: false,
      })
      await json.click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText('{"orderId": "C-9", "extra": [1]}')
      await dialog.getByRole('radio', { name: 'Fields' }).click()
      expect(await order.inputValue()).toBe('C-9')
      await dialog.getByText('Values that no field of the trigger declares.').waitFor()
      await dialog.getByRole('button', { name: /Trigger/ }).click()
      await page.getByRole('option', { name: 'Order form' }).click()
      // An entered payload applies to any trigger: it has no answers of this form.
      await dialog.getByRole('textbox', { name: 'Your email' }).fill('nobody')
      await dialog.getByText('Must be an e-mail address', { exact: true }).waitFor()
      await dialog.getByRole('textbox', { name: 'Your email' }).fill('eva@example.com')
      const count = dialog.getByRole('textbox', { name: /How many/ })
      await count.fill('many')
      await dialog.getByText('Correct these fields first: How many?.').waitFor()
      expect(await count.inputValue()).toBe('many')
      await count.fill('2')
      await dialog.getByRole('button', { name: /Which size/ }).click()
      await page.getByRole('option', { name: 'Large' }).click()
      await expectGood(window, 'test-payload-fields')
      await page.setViewportSize({ width: 360, height: 740 })
      await expectGood(window, 'test-payload-fields-360')
      await expect.poll(() => start.isEnabled(), WAIT).toBe(true)
      await start.click()
      const run = await ended(page)
      expect(run.workflowRun?.output).toEqual({
        order: { orderId: 'C-9', extra: [1], body: { email: 'eva@example.com', count: 2, size: 'Large' } },
      })
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the part of a payload that is being typed keeps the focus, and a value with a field of its own is refused among the others',
    async () => {
      const workflowId = await newWorkflow(journey, 'Orders typed as JSON', ORDER_FORM)
      const window = await journey.open(await journey.person('member'), workflowPath(journey, workflowId))
      const { page } = window
      await page.getByRole('button', { name: 'Test', exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Test the draft' })
      const json = dialog.getByRole('textbox', { name: 'Payload' })
      const replace = async (text: string) => {
        await page.keyboard.press('ControlOrMeta+a')
        await page.keyboard.insertText(text)
      }
      await dialog.getByRole('radio', { name: 'JSON' }).click()
      await json.click()
      await replace('{"orderId": "C-9", "extra": [1]')
      await page.reload()
      // Restored, and shown as JSON because it is invalid.
      await json.click()
      await page.keyboard.press('ControlOrMeta+End')
      await page.keyboard.insertText('}')
      await dialog.getByRole('radio', { name: 'JSON', checked: true }).waitFor()
      await json.and(focused(page)).waitFor()
      await dialog.getByRole('radio', { name: 'Fields' }).click()
      const others = dialog.getByRole('textbox', { name: 'Other values' })
      await others.click()
      await replace('{}')
      await others.and(focused(page)).waitFor()
      await replace('{"orderId": "D-1", "more": 2}')
      await dialog.getByText('orderId has a field of its own.').waitFor()
      await dialog.getByText('Correct these fields first: Other values.').waitFor()
      await expectGood(window, 'test-payload-declared')
      expect(await dialog.getByRole('textbox', { name: 'orderId' }).inputValue()).toBe('C-9')
      expect(await others.innerText()).toContain('D-1')
      await replace('{"more": 2}')
      await dialog.getByText('orderId has a field of its own.').waitFor({ state: 'detached' })
      const start = dialog.getByRole('button', { name: 'Start the test' })
      await expect.poll(() => start.isEnabled(), WAIT).toBe(true)
      await start.click()
      expect((await ended(page)).workflowRun?.output).toEqual({ order: { orderId: 'C-9', more: 2 } })
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a password that is typed into a payload is sent, and not kept by the browser',
    async () => {
      const workflowId = await newWorkflow(journey, 'Visits', VISIT_FORM)
      const window = await journey.open(await journey.person('member'), workflowPath(journey, workflowId))
      const { page } = window
      await page.getByRole('button', { name: 'Test', exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Test the draft' })
      const pin = dialog.getByLabel('Your PIN', { exact: true })
      const start = dialog.getByRole('button', { name: 'Start the test' })
      await dialog.getByRole('textbox', { name: /Your name/ }).fill('Eva')
      await pin.fill('1234-secret')
      expect(await pin.inputValue()).toBe('1234-secret')
      await expect.poll(() => start.isEnabled(), WAIT).toBe(true)
      await dialog.getByRole('radio', { name: 'JSON' }).click()
      const json = dialog.getByRole('textbox', { name: 'Payload' })
      expect(await json.innerText()).toContain('[redacted]')
      expect(await json.innerText()).not.toContain('1234-secret')
      await page.reload()
      await dialog.getByText('You typed this earlier and did not send it.').waitFor()
      expect(await dialog.getByRole('textbox', { name: /Your name/ }).inputValue()).toBe('Eva')
      expect(await pin.inputValue()).toBe('')
      await dialog.getByText('Correct these fields first: Your PIN.').waitFor()
      expect(await start.isDisabled()).toBe(true)
      await pin.fill('1234-secret')
      await expect.poll(() => start.isEnabled(), WAIT).toBe(true)
      const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/test-runs'))
      await start.click()
      expect(((await sent).postDataJSON() as { payload: unknown }).payload).toEqual({
        body: { name: 'Eva', pin: '1234-secret' },
      })
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a fourth test in flight is refused in a sentence, and takes the place of the oldest at a press',
    async () => {
      const workflowId = await newWorkflow(journey, 'Waiting', APPROVAL)
      const person = await journey.person('member')
      const window = await journey.open(person, workflowPath(journey, workflowId))
      const { page } = window
      const { organizationId } = journey.server.seed
      const ids: string[] = []
      for (let n = 0; n < 3; n += 1) {
        const answer = await page.request.post(
          `${journey.url}/api/builder/v1/organizations/${organizationId}/workflows/${workflowId}/test-runs`,
          {
            data: { draftRevision: 1, scope: { kind: 'all' }, payload: { total: n } },
            headers: { origin: journey.url },
          },
        )
        expect(answer.status()).toBe(202)
        ids.push(((await answer.json()) as { executionId: string }).executionId)
      }
      await page.getByRole('button', { name: 'Test', exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Test the draft' })
      const start = dialog.getByRole('button', { name: 'Start the test' })
      await expect.poll(() => start.isEnabled(), WAIT).toBe(true)
      await start.click()
      await dialog
        .getByText('You have three tests in flight. Wait for one of them, or cancel the oldest.')
        .waitFor()
      await expectGood(window, 'test-too-many')
      await dialog.getByRole('button', { name: 'Cancel the oldest test and start' }).click()
      await page.waitForURL((url) => url.searchParams.get('run') !== null)
      const statusOf = async (id = '') => (await asOperator<RunDetail>(journey, `GET /runs/${id}`)).status
      await expect.poll(() => statusOf(ids[0]), WAIT).toBe('cancelled')
      expect(ids).not.toContain(runOf(page))
      for (const id of [...ids.slice(1), runOf(page) ?? '']) {
        expect(await statusOf(id)).not.toBe('cancelled')
        await asOperator(journey, `POST /runs/${id}/cancel`)
      }
      await window.context.close()
    },
    PATIENCE_MS,
  )
})

import { propertyOf } from '@troupe/contract'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchMouseOff, WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'

const PATIENCE_MS = 90_000
const POLL = { timeout: 20_000, interval: 50 }

const CONFIG = {
  instructions: '## Please check\n\nPay back **no more** than the order was worth.',
  show: [
    { label: 'Order', value: '{{ trigger.order }}' },
    { label: 'Customer', value: '{{ trigger }}' },
  ],
  fields: [
    { name: 'amount', label: 'Amount', type: 'number', required: true, value: 12 },
    { name: 'reason', label: 'Reason', type: 'select', options: ['late', 'broken'] },
    { name: 'note', label: 'Note', type: 'textarea', value: 'Two\nlines' },
    { name: 'urgent', label: 'Urgent', type: 'boolean', value: false },
  ],
  requireRejectComment: true,
}

/** Start, a review, and a node that keeps what was decided. */
function refundGraph(config: object) {
  const node = (id: string, type: string, own: object, x: number) => ({
    ...{ id, type, name: id, position: { x, y: 0 }, config: own },
  })
  return {
    nodes: [
      node('start', 'manual-trigger', {}, 0),
      node('ask', 'human-review', { title: 'Refund {{ trigger.order }}', ...config }, 1),
      node('done', 'edit-fields', { rows: [{ name: 'review', value: '{{ upstream.ask.output }}' }] }, 2),
    ],
    edges: [
      { id: 'a', source: 'start', sourceHandle: 'out', target: 'ask' },
      { id: 'b', source: 'ask', sourceHandle: 'approved', target: 'done' },
    ],
  }
}

/** Runs in the page: whether the browser's storage has a text, which a reload then finds. */
const hasStored = (text: string) => `new Promise((resolve) => {
  const opened = indexedDB.open('troupe', 1)
  opened.onsuccess = () => {
    const all = opened.result.transaction('values').objectStore('values').getAll()
    all.onsuccess = () => {
      opened.result.close()
      resolve(JSON.stringify(all.result).includes(${JSON.stringify(text)}))
    }
  }
})`

describe.skipIf(CHROMIUM === null)('the inbox of reviews', () => {
  const links = new Map<string, string>()
  let journey: Journey
  beforeAll(async () => {
    const mailer = {
      sends: true,
      async send({ id = '', text }: { id?: string; text: string }) {
        links.set(id, /https?:\S+/.exec(text)?.[0] ?? '')
      },
    }
    journey = await startJourney({ overrides: { mailer } })
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  /** Starts a run that asks; returns its id. */
  async function ask(order: string, config: object): Promise<string> {
    const { server } = journey
    const { organizationId } = server.seed
    const workflowId = await seedWorkflow(server.context.database, {
      ...{ organizationId, projectId: null, name: 'Refunds', graph: refundGraph(config) },
    })
    const { body } = await server.call(`POST /api/v1/workflows/${workflowId}/run-async`, {
      body: { input: { order } },
    })
    return String(propertyOf(body, 'executionId'))
  }
  async function reaches(executionId: string, status: string): Promise<void> {
    const { server } = journey
    const poll = async () =>
      propertyOf((await server.call(`GET /api/v1/workflow-jobs/${executionId}`)).body, 'status')
    await expect.poll(poll, POLL).toBe(status)
  }
  async function outputOf(executionId: string): Promise<unknown> {
    await reaches(executionId, 'completed')
    const { body } = await journey.server.call(`GET /api/v1/workflow-jobs/${executionId}/result`)
    return propertyOf(body, 'output')
  }
  const asking = (...userIds: string[]) => ({ reviewers: { kind: 'users', userIds } })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  test(
    'a reviewer on a phone reaches the inbox only, changes a value, approves, and the next opens',
    async () => {
      const rita = await journey.person('reviewer', 'Rita')
      const first = await ask('A-1', {
        ...CONFIG,
        ...asking(rita.userId),
        timeout: { after: 1, unit: 'hours' },
      })
      const second = await ask('A-2', {
        ...CONFIG,
        ...asking(rita.userId),
        timeout: { after: 9, unit: 'hours' },
      })
      await ask('A-3', asking((await journey.person('member')).userId))
      for (const id of [first, second]) await reaches(id, 'awaiting_approval')
      const window = await journey.open(rita, '/', { width: 360 })
      const { page, faults } = window
      await page.waitForURL(`**/o/${journey.slug}/reviews`)
      const list = page.getByRole('list', { name: 'Mine' })
      await expect.poll(() => list.getByRole('link').count(), POLL).toBe(2)
      await expectGood(window, 'reviews-reviewer-360')

      await page.getByRole('button', { name: 'Menu' }).click()
      const menu = page.getByRole('dialog', { name: 'Menu' })
      await expect.poll(() => menu.getByRole('navigation').getByRole('link').count(), POLL).toBe(1)
      await page.keyboard.press('Escape')
      await page.goto(`${journey.url}/o/${journey.slug}/agents`)
      await heading(page, 'This page is not for reviewers')
      await expectGood(window, 'reviews-refused-360')
      await page.getByRole('link', { name: 'Go to your reviews' }).click()

      await list.getByRole('link').first().click()
      await heading(page, 'Refund A-1')
      await page.getByRole('textbox', { name: 'Amount' }).fill('9')
      await page.getByRole('textbox', { name: 'Comment' }).fill('Less is enough')
      await expectGood(window, 'reviews-open-reviewer-360')
      const approve = page.getByRole('button', { name: 'Approve' })
      const box = await approve.boundingBox()
      expect(box?.y).toBeGreaterThan(740 - 120)
      await approve.tap()
      await heading(page, 'Refund A-2')
      expect(await outputOf(first)).toMatchObject({
        review: {
          data: { amount: 9, note: 'Two\nlines', urgent: false },
          comment: 'Less is enough',
          reviewedBy: { type: 'user', id: rita.userId },
        },
      })
      await page.getByRole('button', { name: 'Reject' }).tap()
      await page.getByText('Say why you reject it.').waitFor()
      await page.getByRole('textbox', { name: 'Comment' }).fill('No')
      await page.getByRole('button', { name: 'Reject' }).tap()
      await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor()
      await reaches(second, 'failed')
      expect(faults).toEqual([])
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the same is decided by its link, without an account and without JavaScript',
    async () => {
      const executionId = await ask('B-1', { ...CONFIG, notify: { emails: ['ana@acme.test'] } })
      await reaches(executionId, 'awaiting_approval')
      await expect.poll(() => links.size, POLL).toBeGreaterThan(0)
      const link = [...links.values()].at(-1)?.replace('http://localhost:3000', journey.url) ?? ''
      const context = await journey.browser.newContext({ javaScriptEnabled: false })
      const page = await context.newPage()
      await page.goto(link)
      await page.getByLabel('Amount').fill('7')
      await page.getByLabel('Your name').fill('Zoe')
      await page.getByRole('button', { name: 'Approve' }).click()
      await heading(page, 'This review is over')
      expect(await outputOf(executionId)).toMatchObject({
        review: { data: { amount: 7 }, reviewedBy: { type: 'link', name: 'Zoe' } },
      })
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'by keyboard alone: J opens, A approves, R asks for its reason, and what is typed survives a reload',
    async () => {
      const kim = await journey.person('member', 'Kim')
      const executionIds = [
        await ask('K-1', { ...CONFIG, ...asking(kim.userId) }),
        await ask('K-2', { ...CONFIG, ...asking(kim.userId) }),
      ]
      for (const id of executionIds) await reaches(id, 'awaiting_approval')
      const window = await journey.open(kim, `/o/${journey.slug}/reviews`)
      const { page, faults, context } = window
      await switchMouseOff(window)
      await page.getByRole('link', { name: /Refund K-1/ }).waitFor()
      await page.keyboard.press('j')
      await heading(page, 'Refund K-1')
      await page.getByRole('button', { name: 'Approve' }).waitFor()
      await expectGood(window, 'reviews-open-1280')
      await page.keyboard.press('r')
      await page.getByText('Say why you reject it.').waitFor()
      await page.getByRole('textbox', { name: 'Comment' }).fill('Not this time')
      await expect.poll(() => page.evaluate<boolean>(hasStored('Not this time')), POLL).toBe(true)
      await page.reload()
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Comment' }).inputValue(), POLL)
        .toBe('Not this time')
      await page.keyboard.press('r')
      await heading(page, 'Refund K-2')
      await page.getByRole('button', { name: 'Approve' }).waitFor()
      await page.keyboard.press('a')
      await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor()
      await reaches(executionIds[0] ?? '', 'failed')
      await reaches(executionIds[1] ?? '', 'completed')
      await page.getByRole('radio', { name: 'Decided' }).press(' ')
      await page.getByRole('link', { name: /Refund K-1.*Rejected/ }).press('Enter')
      await page.getByText('Not this time').waitFor()
      await expectGood(window, 'reviews-decided-1280')
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a decision that the server refuses is put back and says why; nothing typed is lost',
    async () => {
      const lea = await journey.person('member', 'Lea')
      const executionId = await ask('L-1', { ...CONFIG, ...asking(lea.userId) })
      await reaches(executionId, 'awaiting_approval')
      const { page, context } = await journey.open(lea, `/o/${journey.slug}/reviews`)
      await page.getByRole('link', { name: /Refund L-1/ }).click()
      await page.getByRole('textbox', { name: 'Comment' }).fill('Looks right')
      await context.setOffline(true)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Not decided: Refund L-1').first().waitFor()
      await context.setOffline(false)
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await heading(page, 'Refund L-1')
      expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('Looks right')
      await page.getByRole('button', { name: 'Approve' }).click()
      expect(await outputOf(executionId)).toMatchObject({ review: { comment: 'Looks right' } })
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'of several approvals the second sees the first, and the one who approved waits',
    async () => {
      const [eva, max] = [await journey.person('member', 'Eva'), await journey.person('member', 'Max')]
      const executionId = await ask('Q-1', { ...asking(eva.userId, max.userId), approvalsRequired: 2 })
      await reaches(executionId, 'awaiting_approval')
      const first = await journey.open(eva, `/o/${journey.slug}/reviews`)
      await first.page.getByRole('link', { name: /Refund Q-1/ }).click()
      await first.page.getByRole('textbox', { name: 'Comment' }).fill('I have looked')
      await first.page.getByRole('button', { name: 'Approve' }).click()
      await first.page.getByRole('link', { name: /Refund Q-1.*1 of 2/ }).click()
      await first.page.getByText('You approved this. It waits for others.').waitFor()
      const second = await journey.open(max, `/o/${journey.slug}/reviews`)
      await second.page.getByRole('link', { name: /Refund Q-1/ }).click()
      await second.page.getByText('I have looked').waitFor()
      await second.page.getByText('1 of 2 approvals').waitFor()
      await expectGood(second, 'reviews-quorum-1280')
      await second.page.getByRole('button', { name: 'Approve' }).click()
      await reaches(executionId, 'completed')
      await first.context.close()
      await second.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a tool that needs an approval asks in the same inbox, and runs after it',
    async () => {
      const { server } = journey
      const tools = [{ type: 'builtin', name: 'calculator', builtin: 'calculator', approval: 'always' }]
      const config = { instructions: '[[tool: calculator {"expression": "20+22"}]]', tools }
      const made = await server.call('POST /api/v1/agents', { body: { name: 'Careful', config } })
      const started = await server.call(
        `POST /api/v1/agents/${String(propertyOf(made.body, 'agentId'))}/run-async`,
        { body: { message: 'Go.' } },
      )
      const window = await journey.open(await journey.person('member', 'Tom'), `/o/${journey.slug}/reviews`)
      const { page, faults, context } = window
      await page.getByRole('link', { name: /Careful wants to call calculator/ }).click()
      await page.getByText('20+22').waitFor()
      await expectGood(window, 'reviews-approval-1280')
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Approved: Careful wants to call calculator').waitFor()
      const jobId = String(propertyOf(started.body, 'jobId'))
      const status = async () => propertyOf((await server.call(`GET /api/v1/jobs/${jobId}`)).body, 'status')
      await expect.poll(status, POLL).toBe('completed')
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test.each(WIDTHS)(
    'list and review are good at %d px, in light and dark',
    async (width) => {
      const ola = await journey.person('owner', 'Ola')
      const executionId = await ask('Z-1', { ...CONFIG, timeout: { after: 30, unit: 'minutes' } })
      await reaches(executionId, 'awaiting_approval')
      const window = await journey.open(ola, `/o/${journey.slug}/reviews`, { width })
      const { page, context } = window
      await page
        .getByRole('link', { name: /Refund Z-1/ })
        .first()
        .waitFor()
      await expectGood(window, `reviews-${width}`)
      await page
        .getByRole('link', { name: /Refund Z-1/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Approve' }).waitFor()
      await expectGood(window, `review-${width}`)
      await page.goto(`${journey.url}/o/${journey.slug}/reviews/00000000-0000-4000-8000-000000000000`)
      await page.getByText('This review could not be loaded').waitFor()
      await expectGood(window, `review-gone-${width}`)
      await context.close()
    },
    PATIENCE_MS,
  )
})

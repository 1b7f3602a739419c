import { propertyOf } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchMouseOff, WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey } from './journey.ts'
import {
  asking,
  headed,
  REVIEW_CONFIG,
  REVIEW_POLL,
  type ReviewJourney,
  readNext,
  startReviews,
} from './review-journey.ts'

const PATIENCE_MS = 90_000

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

/** Runs in the page: presses Approve by key and by mouse as soon as a review has come up, as the second press of two does. */
const pressedAtOnce = (title: string) => `new Promise((resolve) => {
  const look = () => {
    const approve = [...document.querySelectorAll('main button')].find((one) => /^Approve/.test(one.textContent))
    if (document.querySelector('h1')?.textContent !== ${JSON.stringify(title)} || !approve) {
      return requestAnimationFrame(look)
    }
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, cancelable: true }))
    approve.click()
    resolve(true)
  }
  look()
})`

describe.skipIf(CHROMIUM === null)('the inbox of reviews', () => {
  let reviews: ReviewJourney
  let journey: Journey
  beforeAll(async () => {
    reviews = await startReviews()
    journey = reviews.journey
  }, 180_000)
  afterAll(() => reviews?.[Symbol.asyncDispose]())

  test(
    'by keyboard alone: J opens, A approves, R asks for its reason, and input survives a reload',
    async () => {
      const kim = await journey.person('member', 'Kim')
      const rejected = await reviews.ask('K-1', { ...REVIEW_CONFIG, ...asking(kim.userId) })
      const approved = await reviews.ask('K-2', { ...REVIEW_CONFIG, ...asking(kim.userId) })
      for (const { executionId } of [rejected, approved]) {
        await reviews.reaches(executionId, 'awaiting_approval')
      }
      const window = await journey.open(kim, `/o/${journey.slug}/reviews`)
      const { page, faults, context } = window
      await switchMouseOff(window)
      await page.getByRole('link', { name: /Refund K-1/ }).waitFor()
      await page.keyboard.press('j')
      await headed(page, 'Refund K-1')
      await page.getByRole('button', { name: 'Approve' }).waitFor()
      await expectGood(window, 'reviews-open-1280')
      await page.keyboard.press('r')
      await page.getByText('Say why you reject it.').waitFor()
      const comment = page.getByRole('textbox', { name: 'Comment' })
      const label = () => page.evaluate('document.activeElement.labels[0].textContent')
      await expect.poll(label).toBe('Comment')
      await comment.fill('Not this time')
      await page.getByText('Say why you reject it.').waitFor({ state: 'detached' })
      await expect.poll(() => page.evaluate<boolean>(hasStored('Not this time')), REVIEW_POLL).toBe(true)
      await page.reload()
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Comment' }).inputValue(), REVIEW_POLL)
        .toBe('Not this time')
      await page.keyboard.press('r')
      await headed(page, 'Refund K-2')
      await page.getByRole('button', { name: 'Approve' }).waitFor()
      await readNext(page)
      await page.keyboard.press('a')
      await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor()
      await reviews.reaches(rejected.executionId, 'failed')
      await reviews.reaches(approved.executionId, 'completed')
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
    'the second of two quick presses decides nothing: the next review has come under it unread',
    async () => {
      const dana = await journey.person('member', 'Dana')
      const config = asking(dana.userId)
      const runs: string[] = []
      for (const order of ['D-1', 'D-2', 'D-3']) {
        const { executionId } = await reviews.ask(order, config)
        await reviews.reaches(executionId, 'awaiting_approval')
        runs.push(executionId)
      }
      const [first = '', second = '', third = ''] = runs
      const { page, faults, context } = await journey.open(dana, `/o/${journey.slug}/reviews`)
      await page.getByRole('link', { name: /Refund D-1/ }).click()
      const approve = page.getByRole('button', { name: 'Approve' })
      await approve.waitFor()
      const onSecond = page.evaluate<boolean>(pressedAtOnce('Refund D-2'))
      await page.keyboard.press('a')
      expect(await onSecond).toBe(true)
      await reviews.reaches(first, 'completed')
      await readNext(page)
      await headed(page, 'Refund D-2')
      const onThird = page.evaluate<boolean>(pressedAtOnce('Refund D-3'))
      await approve.dblclick()
      expect(await onThird).toBe(true)
      await reviews.reaches(second, 'completed')
      await readNext(page)
      await headed(page, 'Refund D-3')
      await reviews.reaches(third, 'awaiting_approval')
      await approve.click()
      await reviews.reaches(third, 'completed')
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a decision refused by the server is restored with the reason; no input is lost',
    async () => {
      const lea = await journey.person('member', 'Lea')
      const { executionId } = await reviews.ask('L-1', { ...REVIEW_CONFIG, ...asking(lea.userId) })
      await reviews.reaches(executionId, 'awaiting_approval')
      const { page, context } = await journey.open(lea, `/o/${journey.slug}/reviews`)
      await page.getByRole('link', { name: /Refund L-1/ }).click()
      await page.getByRole('textbox', { name: 'Comment' }).fill('Looks right')
      const decisions = /\/reviews\/[^/]+\/decision$/
      await page.route(decisions, (route) => route.abort())
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Decision not saved: Refund L-1').first().waitFor()
      await page.unroute(decisions)
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await headed(page, 'Refund L-1')
      expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('Looks right')
      await page.getByRole('button', { name: 'Approve' }).click()
      expect(await reviews.outputOf(executionId)).toMatchObject({ review: { comment: 'Looks right' } })
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a required yes or no is requested, and after a decision the heading of the next one has the focus',
    async () => {
      const ida = await journey.person('member', 'Ida')
      const fields = [{ name: 'legal', label: 'Legal has seen it', type: 'boolean', required: true }]
      const config = { fields, ...asking(ida.userId) }
      const first = await reviews.ask('Y-1', config)
      await reviews.reaches(first.executionId, 'awaiting_approval')
      const second = await reviews.ask('Y-2', config)
      await reviews.reaches(second.executionId, 'awaiting_approval')
      const { page, faults, context } = await journey.open(ida, `/o/${journey.slug}/reviews`)
      await page.getByRole('link', { name: /Refund Y-1/ }).click()
      const approve = page.getByRole('button', { name: 'Approve' })
      const focused = () => page.evaluate<string>('document.activeElement.outerHTML')
      await approve.click()
      await page.getByText('Required for an approval.').waitFor()
      await expect.poll(focused, REVIEW_POLL).toContain('listbox')
      await page.getByRole('button', { name: /Legal has seen it/ }).click()
      await page.getByRole('option', { name: 'No', exact: true }).click()
      await approve.click()
      await headed(page, 'Refund Y-2')
      await expect.poll(focused, REVIEW_POLL).toMatch(/^<h1 [^>]*>Refund Y-2/)
      expect(await reviews.outputOf(first.executionId)).toMatchObject({ review: { data: { legal: false } } })
      await readNext(page)
      await page.getByRole('button', { name: 'Reject' }).click()
      await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor()
      await expect.poll(focused, REVIEW_POLL).toMatch(/^<h1 [^>]*>Reviews/)
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a short text that is proposed with several lines keeps them when it is edited',
    async () => {
      const pia = await journey.person('member', 'Pia')
      const fields = [{ name: 'address', label: 'Address', type: 'text', value: 'Main Street\nSpringfield' }]
      const { executionId } = await reviews.ask('T-1', { fields, ...asking(pia.userId) })
      await reviews.reaches(executionId, 'awaiting_approval')
      const { page, context } = await journey.open(pia, `/o/${journey.slug}/reviews`)
      await page.getByRole('link', { name: /Refund T-1/ }).click()
      const address = page.getByRole('textbox', { name: 'Address' })
      await address.press('ControlOrMeta+End')
      await address.pressSequentially(' 2')
      await page.getByRole('button', { name: 'Approve' }).click()
      expect(await reviews.outputOf(executionId)).toMatchObject({
        review: { data: { address: 'Main Street\nSpringfield 2' } },
      })
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a tool that needs an approval is in the same inbox, and runs after it',
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
      await page.getByText('20+22', { exact: true }).waitFor()
      await expectGood(window, 'reviews-approval-1280')
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Approved: Careful wants to call calculator').waitFor()
      const jobId = String(propertyOf(started.body, 'jobId'))
      const status = async () => propertyOf((await server.call(`GET /api/v1/jobs/${jobId}`)).body, 'status')
      await expect.poll(status, REVIEW_POLL).toBe('completed')
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a run that waits is decided on its own page: its arguments are there, A approves and R rejects',
    async () => {
      const tools = [{ type: 'builtin', name: 'calculator', builtin: 'calculator', approval: 'always' }]
      const { call } = journey.server
      const made = await call('POST /api/v1/agents', {
        body: { name: 'Counting desk', config: { instructions: 'Count.', tools } },
      })
      const agentId = String(propertyOf(made.body, 'agentId'))
      const asked = ['2 + 40', '7 * 6'].map(
        (expression) => `[[tool: calculator ${JSON.stringify({ expression })}]]`,
      )
      const started = await call(`POST /api/v1/agents/${agentId}/run-async`, {
        body: { message: `${asked.join(' ')} [[reply: counted]]` },
      })
      const runId = String(propertyOf(started.body, 'jobId'))
      const window = await journey.open(await journey.person('owner'), `/o/${journey.slug}/runs/${runId}`)
      const { page, faults, context } = window
      const waiting = page.getByRole('region', { name: 'Waits for a decision' })
      const [first, second] = [
        waiting.getByText('2 + 40', { exact: true }),
        waiting.getByText('7 * 6', { exact: true }),
      ]
      await first.waitFor()
      await expectGood(window, 'run-decide-1280')
      await page.keyboard.press('a')
      await first.waitFor({ state: 'detached' })
      await second.waitFor()
      await page.setViewportSize({ width: 360, height: 740 })
      await expectGood(window, 'run-decide-360')
      await waiting.getByRole('button', { name: 'Reject' }).click()
      await waiting.waitFor({ state: 'detached' })
      await expect.poll(() => page.title(), REVIEW_POLL).toMatch(/^Counting desk: completed/)
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test.each(WIDTHS)(
    'the list and a review have no visual faults at %d px, in light and dark',
    async (width) => {
      const ola = await journey.person('owner', 'Ola')
      const { executionId } = await reviews.ask('Z-1', {
        ...REVIEW_CONFIG,
        timeout: { after: 30, unit: 'minutes' },
      })
      await reviews.reaches(executionId, 'awaiting_approval')
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
      await page.getByText('Review not found').waitFor()
      await expectGood(window, `review-gone-${width}`)
      await context.close()
    },
    PATIENCE_MS,
  )
})

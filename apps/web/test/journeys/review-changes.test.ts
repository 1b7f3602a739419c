import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey } from './journey.ts'
import {
  asking,
  headed,
  REVIEW_CONFIG,
  REVIEW_POLL,
  type ReviewJourney,
  startReviews,
} from './review-journey.ts'

const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('a review that others approve and change in the meantime', () => {
  let reviews: ReviewJourney
  let journey: Journey
  beforeAll(async () => {
    reviews = await startReviews()
    journey = reviews.journey
  }, 180_000)
  afterAll(() => reviews?.[Symbol.asyncDispose]())

  /** A review that Ben and Rosa must both approve; he has it open. */
  async function askedBoth(order: string, role: 'member' | 'reviewer') {
    const [ben, rosa] = [await journey.person('member', 'Ben'), await journey.person(role, 'Rosa')]
    const { executionId } = await reviews.ask(order, {
      ...{ ...REVIEW_CONFIG, ...asking(ben.userId, rosa.userId) },
      approvalsRequired: 2,
    })
    await reviews.reaches(executionId, 'awaiting_approval')
    const his = await journey.open(ben, `/o/${journey.slug}/reviews`)
    await his.page.getByRole('link', { name: new RegExp(`Refund ${order}`) }).click()
    return { executionId, rosa, his }
  }

  test(
    'values that another approval has changed are shown before they can be approved',
    async () => {
      const { executionId, rosa, his: own } = await askedBoth('V-1', 'reviewer')
      const hers = await journey.open(rosa, `/o/${journey.slug}/reviews`)
      // Her page shows the first response, as between two polls, until she decides.
      let first: string | null = null
      await hers.page.route(/\/reviews\/[^/?]+$/, async (route) => {
        if (first !== null) return route.fulfill({ body: first, contentType: 'application/json' })
        const response = await route.fetch()
        first = await response.text()
        return route.fulfill({ response, body: first })
      })
      await hers.page.getByRole('link', { name: /Refund V-1/ }).click()
      const amount = hers.page.getByRole('textbox', { name: 'Amount' })
      await expect.poll(() => amount.inputValue(), REVIEW_POLL).toBe('12')
      await own.page.getByRole('textbox', { name: 'Amount' }).fill('900')
      await own.page.getByRole('button', { name: 'Approve' }).click()
      await own.page.getByText('Approved: Refund V-1').waitFor()
      await hers.page.route(/\/decision$/, async (route) => {
        await hers.page.unroute(/\/reviews\/[^/?]+$/)
        await route.continue()
      })
      await hers.page.getByRole('button', { name: 'Approve' }).click()
      await hers.page.getByText('The proposed values were changed by Ben').first().waitFor()
      await hers.page.getByRole('button', { name: 'Open', exact: true }).click()
      await expect.poll(() => amount.inputValue(), REVIEW_POLL).toBe('900')
      await hers.page.getByRole('button', { name: 'Continue with these' }).click()
      await hers.page.getByRole('button', { name: 'Approve' }).click()
      expect(await reviews.outputOf(executionId)).toMatchObject({ review: { data: { amount: 900 } } })
      await own.context.close()
      await hers.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a value that another approval changes while it is looked at is read before it is approved',
    async () => {
      const { executionId, rosa, his } = await askedBoth('W-2', 'reviewer')
      const { page } = await journey.open(rosa, `/o/${journey.slug}/reviews`)
      await page.getByRole('link', { name: /Refund W-2/ }).click()
      const approve = page.getByRole('button', { name: 'Approve' })
      await approve.waitFor()
      await his.page.getByRole('textbox', { name: 'Amount' }).fill('900')
      await his.page.getByRole('button', { name: 'Approve' }).click()
      await his.page.getByText('Approved: Refund W-2').waitFor()
      const question = page.getByRole('status').filter({ hasText: 'after this page first showed them' })
      await question.waitFor({ timeout: 20_000 })
      await question.getByText('900').waitFor()
      expect(await approve.getAttribute('aria-disabled')).toBe('true')
      // Typing elsewhere is not an answer.
      await page.getByRole('textbox', { name: 'Note' }).fill('Looked at')
      const typed = page.getByRole('status').filter({ hasText: 'after you typed yours' })
      await typed.getByText('900').waitFor()
      expect(await approve.getAttribute('aria-disabled')).toBe('true')
      await typed.getByRole('button', { name: 'Continue with these' }).click()
      await typed.waitFor({ state: 'detached' })
      await approve.click()
      expect(await reviews.outputOf(executionId)).toMatchObject({
        review: { data: { amount: 900, note: 'Looked at' } },
      })
    },
    PATIENCE_MS,
  )

  test(
    'a value that was typed before another approval has changed it is not approved until its reviewer has chosen',
    async () => {
      const { executionId, rosa, his } = await askedBoth('W-1', 'reviewer')
      const hers = await journey.open(rosa, `/o/${journey.slug}/reviews`)
      const { page } = hers
      await page.getByRole('link', { name: /Refund W-1/ }).click()
      const amount = page.getByRole('textbox', { name: 'Amount' })
      await amount.fill('10')
      await amount.press('Tab')
      await his.page.getByRole('textbox', { name: 'Amount' }).fill('900')
      await his.page.getByRole('button', { name: 'Approve' }).click()
      await his.page.getByText('Approved: Refund W-1').waitFor()
      // Her page polls.
      const question = page.getByRole('status').filter({ hasText: 'Ben changed the proposed values' })
      await question.waitFor({ timeout: 20_000 })
      await question.getByText('900').waitFor()
      expect(await amount.inputValue()).toBe('10')
      const approve = page.getByRole('button', { name: 'Approve' })
      expect(await approve.getAttribute('aria-disabled')).toBe('true')
      await approve.focus()
      await page.keyboard.press('a')
      await headed(page, 'Refund W-1')
      await question.waitFor()
      await expectGood(hers, 'reviews-contested-1280')
      await question.getByRole('button', { name: 'Keep mine' }).click()
      await question.waitFor({ state: 'detached' })
      expect(await page.evaluate('document.activeElement === document.body')).toBe(false)
      expect(await amount.inputValue()).toBe('10')
      await approve.click()
      expect(await reviews.outputOf(executionId)).toMatchObject({ review: { data: { amount: 10 } } })
      expect(hers.faults).toEqual([])
      await his.context.close()
      await hers.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'an approval that the server refuses for changed values opens the same choice',
    async () => {
      const { executionId, rosa, his } = await askedBoth('W-3', 'member')
      const { page, context } = await journey.open(rosa, `/o/${journey.slug}/reviews`)
      // Her page shows the first response until she decides.
      let first: string | null = null
      await page.route(/\/reviews\/[^/?]+$/, async (route) => {
        if (first !== null) return route.fulfill({ body: first, contentType: 'application/json' })
        const response = await route.fetch()
        first = await response.text()
        return route.fulfill({ response, body: first })
      })
      await page.getByRole('link', { name: /Refund W-3/ }).click()
      const amount = page.getByRole('textbox', { name: 'Amount' })
      await amount.fill('10')
      await his.page.getByRole('textbox', { name: 'Amount' }).fill('900')
      await his.page.getByRole('button', { name: 'Approve' }).click()
      await his.page.getByText('Approved: Refund W-3').waitFor()
      await page.route(/\/decision$/, async (route) => {
        await page.unroute(/\/reviews\/[^/?]+$/)
        await route.continue()
      })
      const approve = page.getByRole('button', { name: 'Approve' })
      await approve.click()
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      const question = page.getByRole('status').filter({ hasText: 'Ben changed the proposed values' })
      await question.waitFor()
      expect(await amount.inputValue()).toBe('10')
      expect(await approve.getAttribute('aria-disabled')).toBe('true')
      await question.getByRole('button', { name: 'Take theirs' }).click()
      await expect.poll(() => amount.inputValue(), REVIEW_POLL).toBe('900')
      await approve.click()
      expect(await reviews.outputOf(executionId)).toMatchObject({ review: { data: { amount: 900 } } })
      await his.context.close()
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'of several approvals the second sees the changes of the first, and an approver finds it among all open ones',
    async () => {
      const [eva, max] = [await journey.person('reviewer', 'Eva'), await journey.person('member', 'Max')]
      const { executionId } = await reviews.ask('Q-1', {
        ...asking(eva.userId, max.userId),
        approvalsRequired: 2,
        fields: [{ name: 'amount', label: 'New amount', type: 'number', required: true, value: 250 }],
      })
      await reviews.reaches(executionId, 'awaiting_approval')
      const first = await journey.open(eva, `/o/${journey.slug}/reviews`)
      await first.page.getByRole('link', { name: /Refund Q-1/ }).click()
      await first.page.getByRole('textbox', { name: 'Comment' }).fill('I have looked')
      await first.page.getByRole('textbox', { name: 'New amount' }).fill('5')
      await first.page.getByRole('button', { name: 'Approve' }).click()
      await first.page.getByText('Nothing is waiting for you').waitFor()
      await first.page.getByRole('radio', { name: 'All' }).click()
      await first.page.getByRole('link', { name: /Refund Q-1.*You approved.*1 of 2/ }).click()
      await first.page
        .getByText('You approved this. It waits for others, and you can still reject it.')
        .waitFor()
      await first.page.getByRole('button', { name: 'Reject' }).waitFor()
      expect(await first.page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
      const second = await journey.open(max, `/o/${journey.slug}/reviews`)
      await second.page.getByRole('link', { name: /Refund Q-1/ }).click()
      await second.page.getByText('I have looked').waitFor()
      await second.page.getByText('1 of 2 approvals').waitFor()
      await second.page.getByText('before: 250').waitFor()
      await expectGood(second, 'reviews-quorum-1280')
      await second.page.getByRole('textbox', { name: 'New amount' }).fill('7')
      await second.page.getByRole('button', { name: 'Approve' }).click()
      await reviews.reaches(executionId, 'completed')
      const told = async (text: string) => second.page.getByText(text, { exact: true }).waitFor()
      await second.page.goto(`${journey.url}/o/${journey.slug}/runs/${executionId}?node=ask`)
      await told('before: 250')
      await told('before: 5')
      await second.page.getByRole('complementary').getByRole('link', { name: 'Refund Q-1' }).click()
      await told('The workflow proposed: 250')
      await expectGood(second, 'reviews-quorum-decided-1280')
      await first.context.close()
      await second.context.close()
    },
    PATIENCE_MS,
  )
})

import { readFile } from 'node:fs/promises'
import { propertyOf, roleHas, typedKeys } from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sidewaysPixels } from '../browser.ts'
import { CHROMIUM, expectGood } from './journey.ts'
import {
  asking,
  headed,
  REVIEW_CONFIG,
  REVIEW_POLL,
  type ReviewJourney,
  readNext,
  startReviews,
} from './review-journey.ts'

/** The journey opens every page of the builder. */
const PATIENCE_MS = 180_000
const PHONE = { width: 360, height: 740 }
/** For a missing field. */
const PHONE_END = { y: PHONE.height, height: 0 }
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const PAGES_SOURCE = new URL('../../src/app/pages/pages.ts', import.meta.url)

/** Ids that stand in paths of pages and operations, by the names of their parameters. */
type Ids = Readonly<Record<string, string>>

/** Every page below an organization but the inbox and the account, as a path such as `/agents/ID`. */
async function pagesBesideInbox(ids: Ids): Promise<string[]> {
  const source = await readFile(PAGES_SOURCE, 'utf8')
  const paths = [...source.matchAll(/^\s*(?:\{ )?path: '([^']+)'/gm)].map(([, path = '']) => path)
  expect(paths).toEqual(expect.arrayContaining(['/', 'agents/$agentId', 'settings/models/new', 'usage']))
  return paths
    .filter((path) => path !== '/' && !/^(reviews|account)(\/|$)/.test(path))
    .map((path) => `/${path.replaceAll(/\$(\w+)/g, (_, name: string) => ids[name] ?? UNKNOWN_ID)}`)
}

/** Calls every operation of the builder that a reviewer may not call, with the session of the page; those that were not refused. */
async function unrefusedOperations({ request }: Page, origin: string, ids: Ids): Promise<string[]> {
  const unrefused: string[] = []
  for (const id of typedKeys(BUILDER_OPERATIONS)) {
    const { method, path, needs } = BUILDER_OPERATIONS[id]
    if (roleHas('reviewer', needs)) continue
    const url = origin + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? UNKNOWN_ID)
    const body = method === 'GET' ? {} : { data: {} }
    const answer = await request.fetch(url, { method, headers: { origin }, ...body })
    const error = propertyOf(await answer.json().catch(() => null), 'error')
    if (answer.status() !== 403 || error !== 'forbidden') unrefused.push(`${id}: ${answer.status()} ${error}`)
  }
  return unrefused
}

describe.skipIf(CHROMIUM === null)('a review on a phone', () => {
  let reviews: ReviewJourney
  beforeAll(async () => {
    reviews = await startReviews()
  }, 180_000)
  afterAll(() => reviews?.[Symbol.asyncDispose]())

  test(
    'a reviewer reaches the inbox only, approves with a changed value, and so does the holder of a link without JavaScript',
    async () => {
      const { journey, ask, reaches, outputOf, reviewOf, linkOf } = reviews
      const { url, slug } = journey
      const rita = await journey.person('reviewer', 'Rita')
      const hers = { ...REVIEW_CONFIG, ...asking(rita.userId) }
      const first = await ask('A-1', { ...hers, timeout: { after: 1, unit: 'hours' } })
      const second = await ask('A-2', { ...hers, timeout: { after: 9, unit: 'hours' } })
      const others = await ask('A-3', asking((await journey.person('member')).userId))
      for (const { executionId } of [first, second]) await reaches(executionId, 'awaiting_approval')
      const othersReview = await reviewOf(others.executionId)

      const window = await journey.open(rita, '/', PHONE)
      const { page, faults } = window
      expect(page.viewportSize()).toEqual(PHONE)
      const refused: string[] = []
      page.on('response', (answer) => {
        if (answer.status() >= 400) refused.push(`${answer.status()} ${new URL(answer.url()).pathname}`)
      })
      await page.waitForURL(`**/o/${slug}/reviews`)
      const list = page.getByRole('list', { name: 'Mine' })
      await expect.poll(() => list.getByRole('link').count(), REVIEW_POLL).toBe(2)
      await expectGood(window, 'reviews-reviewer-360')

      // Neither the menu nor the search leads anywhere else, even if a resource has that name.
      await page.getByRole('button', { name: 'Menu' }).tap()
      const menu = page.getByRole('dialog', { name: 'Menu' })
      await expect.poll(() => menu.getByRole('navigation').getByRole('link').count(), REVIEW_POLL).toBe(1)
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /Search/ }).tap()
      const palette = page.getByRole('dialog', { name: 'Search or jump to' })
      await palette.getByRole('menuitem', { name: 'Reviews' }).waitFor()
      const places = await palette.locator('a[href]').all()
      expect(await Promise.all(places.map((place) => place.getAttribute('href')))).toEqual([
        `/o/${slug}/reviews`,
      ])
      await page.keyboard.type('Refunds')
      await page.getByText('Nothing found for “Refunds”.').waitFor()
      // The first empties the field.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await palette.waitFor({ state: 'detached' })

      // No URL opens it, and refused data was never requested.
      const ids = {
        organizationId: journey.server.seed.organizationId,
        workflowId: others.workflowId,
        runId: first.executionId,
        executionId: first.executionId,
      }
      const shown = new Set<string>()
      for (const path of await pagesBesideInbox(ids)) {
        await page.goto(`${url}/o/${slug}${path}`)
        await headed(page, 'This page is not for reviewers')
        shown.add(await page.getByRole('main').innerText())
      }
      expect([...shown]).toEqual([expect.stringContaining('Go to your reviews')])
      await expectGood(window, 'reviews-refused-360')
      await page.goto(`${url}/o/${slug}`)
      await page.waitForURL(`**/o/${slug}/reviews`)
      await list.getByRole('link').first().waitFor()
      expect(refused).toEqual([])
      await page.goto(`${url}/o/${slug}/reviews/${othersReview}`)
      await page.getByText('Review not found').waitFor()
      expect(await page.getByText('A-3').count()).toBe(0)

      // The API permits her session no more than the pages do.
      expect(await unrefusedOperations(page, url, ids)).toEqual([])
      const headers = { origin: url }
      const api = `${url}/api/builder/v1/organizations/${ids.organizationId}`
      const inbox = await page.request.get(`${api}/reviews`)
      expect(await inbox.json()).toMatchObject({ total: 2 })
      const data = { decision: 'approve', revision: 'none' }
      const answers = [
        await page.request.get(`${api}/reviews/${othersReview}`),
        await page.request.post(`${api}/reviews/${othersReview}/decision`, { headers, data }),
        await page.request.get(`${url}/reviews/${othersReview}`),
        await page.request.get(`${url}/api/v1/reviews`),
      ]
      expect(answers.map((answer) => answer.status())).toEqual([404, 404, 404, 401])

      await page.goto(`${url}/o/${slug}/agents`)
      refused.splice(0)
      await page.getByRole('link', { name: 'Go to your reviews' }).tap()
      await list.getByRole('link').first().tap()
      await headed(page, 'Refund A-1')
      await page.getByRole('textbox', { name: 'Amount' }).fill('9')
      await page.getByRole('textbox', { name: 'Comment' }).fill('Less is enough')
      await expectGood(window, 'reviews-open-reviewer-360')
      const approve = page.getByRole('button', { name: 'Approve' })
      const box = await approve.boundingBox()
      expect(box?.y).toBeGreaterThan(PHONE.height - 120)
      await approve.tap()
      await headed(page, 'Refund A-2')
      // The result of a decision is shown where neither the next title nor the buttons are.
      const said = await page
        .getByRole('region', { name: 'Notices' })
        .getByText(/^Approved/)
        .boundingBox()
      const title = await page.getByRole('heading', { level: 1 }).boundingBox()
      expect(said?.y).toBeGreaterThan((title?.y ?? PHONE.height) + (title?.height ?? 0))
      expect((said?.y ?? PHONE.height) + (said?.height ?? 0)).toBeLessThan(
        (await approve.boundingBox())?.y ?? 0,
      )
      expect(await outputOf(first.executionId)).toMatchObject({
        review: {
          data: { amount: 9, note: 'Two\nlines', urgent: false },
          comment: 'Less is enough',
          reviewedBy: { type: 'user', id: rita.userId },
        },
      })
      await readNext(page)
      await page.getByRole('button', { name: 'Reject' }).tap()
      await page.getByText('Say why you reject it.').waitFor()
      const comment = page.getByRole('textbox', { name: 'Comment' })
      // All of the field, and its sentence, are above the buttons at the foot.
      const foot = (await page.getByRole('button', { name: 'Reject' }).boundingBox())?.y ?? 0
      const end = async () => {
        const { y, height } = (await comment.boundingBox()) ?? PHONE_END
        return y + height
      }
      await expect.poll(end, REVIEW_POLL).toBeLessThan(foot - 40)
      await comment.fill('No')
      await page.getByRole('button', { name: 'Reject' }).tap()
      await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor()
      expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
      await reaches(second.executionId, 'failed')
      expect([...faults, ...refused]).toEqual([])
      await window.context.close()

      // The same by link: no account, no JavaScript, and a name that was forgotten first.
      const linked = await ask('B-1', { ...REVIEW_CONFIG, notify: { emails: ['ana@acme.test'] } })
      const context = await journey.browser.newContext({
        ...{ viewport: PHONE, isMobile: true, hasTouch: true, javaScriptEnabled: false },
      })
      const plain = await context.newPage()
      await plain.goto(await linkOf(linked.executionId))
      await headed(plain, 'Refund B-1')
      expect(await sidewaysPixels(plain)).toBe(0)
      await plain.getByLabel('Amount').fill('7')
      await plain.getByRole('button', { name: 'Approve' }).tap()
      await plain.getByRole('alert').getByText('Your name is required').waitFor()
      expect(await sidewaysPixels(plain)).toBe(0)
      expect(await plain.getByLabel('Amount').inputValue()).toBe('7')
      await plain.getByLabel('Your name').fill('Zoe')
      await plain.getByRole('button', { name: 'Approve' }).tap()
      await headed(plain, 'This review is closed')
      expect(await sidewaysPixels(plain)).toBe(0)
      expect(await outputOf(linked.executionId)).toMatchObject({
        review: {
          data: { amount: 7, note: 'Two\nlines', urgent: false },
          reviewedBy: { type: 'link', name: 'Zoe' },
        },
      })
      await context.close()
    },
    PATIENCE_MS,
  )
})

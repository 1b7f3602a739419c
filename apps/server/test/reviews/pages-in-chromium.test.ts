import { mkdir } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import { propertyOf } from '@troupe/contract'
import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { type SeededPerson, seedPerson } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ReviewSetting, reviewGraph, WAIT } from './review-setting.ts'

const executable = findChromium()
/** Folder for screenshots of the pages; null: none are taken. */
const pictures = process.env.TROUPE_TEST_PICTURES ?? null
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const WIDTHS = [1300, 390, 360] as const

const CONFIG = {
  instructions:
    '## Please check\n\nPay back **no more** than the order was worth, see [the rules](https://acme.test).',
  show: [
    { label: 'Order', value: '{{ trigger.order }}' },
    { label: 'Everything', value: '{{ trigger }}' },
  ],
  fields: [
    { name: 'amount', label: 'Amount', type: 'number', required: true, value: 12 },
    { name: 'reason', label: 'Reason', type: 'select', options: ['late', 'broken'] },
    { name: 'note', label: 'Note', type: 'textarea', value: 'Two\nlines' },
    { name: 'address', label: 'Address', type: 'text', value: 'Main Street 1\r\nSpringfield' },
    { name: 'urgent', label: 'Urgent', type: 'boolean', value: false },
  ],
  requireRejectComment: true,
  timeout: { after: 3, unit: 'days' },
  notify: { emails: ['ana@acme.test'] },
}

describe.skipIf(executable === null)('the pages of reviews in Chromium', { timeout: 90_000 }, () => {
  const resources = new AsyncDisposableStack()
  const links = new Map<string, string>()
  let server: TestServer
  let setting: ReviewSetting
  let browser: Browser
  let origin: string
  let ana: SeededPerson
  beforeAll(async () => {
    const mailer = {
      sends: true,
      async send({ id = '', text }: { id?: string; text: string }) {
        links.set(id, /https?:\S+/.exec(text)?.[0].replace('http://localhost:3000', origin) ?? '')
      },
    }
    server = resources.use(await startTestServer({ overrides: { mailer } }))
    origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
    setting = new ReviewSetting(server)
    const { organizationId } = server.seed
    ana = await seedPerson(server.context.database, { organizationId })
    browser = await startChromium(executable ?? '')
    resources.defer(() => browser.close())
  }, 120_000)
  afterAll(() => resources.disposeAsync())

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page & AsyncDisposable> {
    const context = await browser.newContext({ viewport: { width: 1300, height: 900 }, ...options })
    const page = await context.newPage()
    await page.goto(path)
    return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() })
  }

  async function isAccessible(page: Page, name: string): Promise<void> {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(WCAG).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
      if (pictures === null) continue
      await mkdir(pictures, { recursive: true })
      await page.screenshot({ path: `${pictures}/review-${name}-${width}.png`, fullPage: true })
    }
  }

  async function linked(): Promise<{ executionId: string; link: string }> {
    const { executionId, reviews } = await setting.ask(reviewGraph(CONFIG))
    const reviewId = reviews[0]?.reviewId ?? ''
    await expect.poll(() => links.has(reviewId), WAIT).toBe(true)
    return { executionId, link: links.get(reviewId) ?? '' }
  }

  test('a link decides without JavaScript: errors keep the input, and the URL is not leaked', async () => {
    const { executionId, link } = await linked()
    await using page = await open(link, { javaScriptEnabled: false })
    const referers: (string | undefined)[] = []
    page.on('request', (request) => void referers.push(request.headers().referer || undefined))
    await page.getByLabel('Amount').fill('many')
    await page.getByLabel('Reason').selectOption('late')
    await page.getByRole('button', { name: 'Approve' }).click()
    const alert = page.getByRole('alert')
    expect(await alert.getByRole('link').allTextContents()).toEqual([
      'Amount must be a number such as 1234.5',
      'Your name is required',
    ])
    expect(await page.getByLabel('Reason').inputValue()).toBe('late')
    expect(await page.getByLabel('Note').inputValue()).toBe('Two\nlines')
    expect(await page.getByLabel('Address').inputValue()).toBe('Main Street 1\nSpringfield')
    await page.getByLabel('Amount').fill('7.5')
    await page.getByLabel('Your name').fill('Zoe')
    await page.getByRole('button', { name: 'Approve' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This review is closed')
    expect(await page.getByRole('status').textContent()).toContain('The review was approved.')
    expect(referers.filter((one) => one !== undefined)).toEqual([])
    expect(await setting.output(executionId)).toMatchObject({
      review: {
        data: {
          ...{ amount: 7.5, reason: 'late', note: 'Two\nlines', urgent: false },
          address: 'Main Street 1\r\nSpringfield',
        },
        reviewedBy: { type: 'link', name: 'Zoe' },
      },
    })
  })

  test('Enter in a field sends nothing: only a button decides', async () => {
    const { executionId, link } = await linked()
    await using page = await open(link, { javaScriptEnabled: false })
    const sent: string[] = []
    // The browser requests the icon of the page at any time.
    page.on('request', (request) => void (request.isNavigationRequest() && sent.push(request.method())))
    await page.getByLabel('Your name').fill('Zoe')
    await page.getByLabel('Your name').press('Enter')
    await page.getByLabel('Amount').press('Enter')
    await page.getByLabel('Comment').fill('I have looked')
    expect(await page.locator('form button:visible').allTextContents()).toEqual(['Approve', 'Reject'])
    await page.getByRole('button', { name: 'Approve' }).focus()
    expect(sent).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'This review is closed' }).waitFor()
    expect(await setting.output(executionId)).toMatchObject({ went: 'approved' })
  })

  test('every state of the page is accessible, wide and narrow', async () => {
    const { link } = await linked()
    await using page = await open(link)
    await isAccessible(page, 'open')
    await page.getByLabel('Amount').fill('many')
    await page.getByRole('button', { name: 'Reject' }).click()
    await isAccessible(page, 'faults')
    await page.getByLabel('Amount').fill('1')
    await page.getByLabel('Your name').fill('Zoe')
    await page.getByRole('button', { name: 'Approve' }).click()
    await isAccessible(page, 'over')
  })

  test('a user signs in, finds the review in the inbox, rejects it and sees the result', async () => {
    const { executionId } = await linked()
    // With a filter: without one, members of one organization get into the builder.
    await using page = await open(`${origin}/reviews?status=open`)
    await page.getByLabel('E-mail').fill(ana.email)
    await page.getByLabel('Password', { exact: true }).fill(ana.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/reviews?status=open')
    await isAccessible(page, 'inbox')
    await page.getByRole('link', { name: 'Refund A-1' }).first().click()
    await isAccessible(page, 'detail')
    await page.getByRole('button', { name: 'Reject' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('it is required to reject.')
    await page.getByLabel('Comment').fill('Too much')
    await page.getByRole('button', { name: 'Reject' }).click()
    expect(await page.getByRole('status').textContent()).toContain('The review was rejected by Ana.')
    await isAccessible(page, 'verdict')
    expect(await setting.output(executionId)).toMatchObject({
      went: 'rejected',
      review: { comment: 'Too much', reviewedBy: { type: 'user', id: ana.userId } },
    })
    await page.getByRole('link', { name: 'Reviews', exact: true }).click()
    await page.getByRole('link', { name: 'Rejected' }).click()
    expect(await page.getByRole('link', { name: 'Refund A-1' }).count()).toBe(1)
  })

  test('a user signs in without JavaScript, reads a pending tool call, and rejects it', async () => {
    const args = {
      to: `${'accounting-'.repeat(20)}@acme.test`,
      items: [{ sku: 'A-1', amount: 12 }],
      note: 'Two\nlines',
    }
    const tool = {
      ...{ type: 'code', name: 'send_invoice', approval: 'always', source: 'export default () => 1' },
      input_schema: { type: 'object', properties: { to: {}, items: {}, note: {} } },
    }
    const instructions = `[[tool: send_invoice ${JSON.stringify(args)}]]`
    const config = { instructions, tools: [tool] }
    const agent = await server.call('POST /api/v1/agents', { body: { name: 'Careful', config } })
    const agentId = propertyOf(agent.body, 'agentId')
    await server.call(`POST /api/v1/agents/${agentId}/run-async`, { body: { message: 'Go.' } })
    const pending = async () => propertyOf((await server.call('GET /api/v1/approvals')).body, 'total')
    await expect.poll(pending, WAIT).toBe(1)

    await using page = await open(`${origin}/reviews?status=open`, { javaScriptEnabled: false })
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByLabel('E-mail').fill(ana.email)
    await page.getByLabel('Password', { exact: true }).fill(ana.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/reviews?status=open')
    await page.getByRole('link', { name: 'Allow the call to send_invoice?' }).click()
    await page.getByRole('heading', { level: 1, name: 'Allow the call to send_invoice?' }).waitFor()
    // The accessibility check needs scripts.
    const storageState = await page.context().storageState()
    await using scripted = await open(page.url(), { storageState })
    await isAccessible(scripted, 'approval')
    expect(await page.locator('dl.shown dt').allTextContents()).toEqual(['to', 'items', 'note'])
    await page.getByLabel('Reason').fill('Not this one')
    await page.getByRole('button', { name: 'Reject' }).click()
    expect(await page.getByRole('status').textContent()).toContain('The call was rejected by Ana.')
    await scripted.reload()
    await isAccessible(scripted, 'approval-verdict')
  })
})

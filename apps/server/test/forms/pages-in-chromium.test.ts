import { mkdir } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import { TestClock } from '@troupe/agents/testing/test-clock'
import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { seedForm } from '@troupe/test-kit/seed-form'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FormServer, resultOf, runsDuring, startFormServer } from './form-setting.ts'

const executable = findChromium()
/** Folder for screenshots of the pages; null: none are taken. */
const pictures = process.env.TROUPE_TEST_PICTURES ?? null

const EVERYTHING = [
  { name: 'name', label: 'Your name', type: 'text', required: true, help: 'As in your passport.' },
  { name: 'mail', label: 'E-mail', type: 'email', required: true, placeholder: 'ana@example.com' },
  { name: 'count', label: 'How many people?', type: 'number', min: 1 },
  { name: 'day', label: 'Day', type: 'date', min: '2026-01-01' },
  { name: 'room', label: 'Room', type: 'dropdown', options: ['Small', { value: 'l', label: 'Large' }] },
  { name: 'meal', label: 'Meal', type: 'radio', options: ['Vegetarian', 'With fish'] },
  { name: 'extras', label: 'Extras', type: 'checkboxes', options: ['Parking', 'Breakfast'] },
  { name: 'code', label: 'Secret code', type: 'password' },
  { name: 'papers', label: 'Papers', type: 'file', multiple: true, accept: '.txt,.pdf' },
  { name: 'notes', label: 'Anything else?', type: 'textarea', help: 'We read everything.' },
]

/** Runs in the page: its horizontal overflow, and touch targets that are too small. */
const MEASURE = `({
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  small: [...document.querySelectorAll('button, input:not([type=hidden]), select, textarea')]
    .map((one) => one.closest('.choice') ?? one)
    .filter((one) => one.getClientRects().length > 0 && !one.closest('.visually-hidden'))
    .filter((one) => one.getBoundingClientRect().height < 44)
    .map((one) => one.outerHTML),
})`

describe.skipIf(executable === null)('the page of a form in Chromium', { timeout: 90_000 }, () => {
  let server: FormServer
  let browser: Browser
  let origin: string
  const clock = new TestClock()
  beforeAll(async () => {
    server = await startFormServer({ overrides: { clock } })
    origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
    browser = await startChromium(executable ?? '')
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  const seed = async (form: Omit<Parameters<typeof seedForm>[1], 'organizationId'> = {}) => {
    const { token } = await seedForm(server.context, { organizationId: server.seed.organizationId, ...form })
    return `${origin}/forms/${token}`
  }

  /** A page in a new browser context; console errors fail the test. */
  async function open(url: string, options: BrowserContextOptions = {}): Promise<Page & AsyncDisposable> {
    const context = await browser.newContext({ viewport: { width: 1300, height: 900 }, ...options })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      // The browser itself reports responses such as 400.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(url)
    return Object.assign(page, {
      async [Symbol.asyncDispose]() {
        await context.close()
        expect(complaints).toEqual([])
      },
    })
  }

  async function look(page: Page, name: string): Promise<void> {
    if (pictures === null) return
    await mkdir(pictures, { recursive: true })
    await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
  }

  async function expectAccessible(page: Page): Promise<void> {
    // The page has no frames, so axe needs no second page.
    const { violations } = await new AxeBuilder({ page })
      .setLegacyMode()
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  }

  /** Nothing is cut off or overflows horizontally, and every touch target is large enough. */
  async function expectFitting(page: Page): Promise<void> {
    const { overflow, small } = await page.evaluate<{ overflow: number; small: string[] }>(MEASURE)
    expect([overflow, small]).toEqual([0, []])
  }

  test.for([
    ['light', 1300],
    ['light', 390],
    ['dark', 1300],
    ['dark', 390],
  ] as const)('is accessible and fits: %s, %i pixels, empty and refused', async ([colorScheme, width]) => {
    const url = await seed({
      fields: EVERYTHING,
      config: {
        title: 'Book a room',
        description:
          'Tell us what you need. We answer **within a day**; see the [rules](https://acme.test/rules).',
        submitLabel: 'Book',
        theme: { accent: '#f2c200' },
        botGuard: true,
      },
    })
    await using page = await open(url, { colorScheme, viewport: { width, height: 900 } })
    await expectAccessible(page)
    await expectFitting(page)
    await look(page, `form-${colorScheme}-${width}`)
    await page.getByLabel('How many people?').fill('none')
    // The bot guard refuses submissions within two seconds.
    clock.advance(2_100)
    await page.getByRole('button', { name: 'Book' }).click()
    await page.locator('#faults li').first().waitFor()
    await expectAccessible(page)
    await expectFitting(page)
    await look(page, `refused-${colorScheme}-${width}`)
  })

  test('can be filled in and sent by keyboard alone', async () => {
    const url = await seed({
      fields: EVERYTHING.filter(({ name }) => ['name', 'mail', 'meal', 'extras'].includes(name)),
    })
    await using page = await open(url)
    const keys = (...names: string[]) =>
      names.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())
    await keys('Tab')
    await page.keyboard.type('Ana')
    await keys('Tab', 'Tab', 'ArrowUp', 'Tab', 'Space', 'Tab', 'Tab', 'Enter')
    // The summary has the focus; its link moves to the field.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('faults')
    await keys('Tab', 'Enter')
    expect(await page.evaluate('document.activeElement.name')).toBe('mail')
    await page.keyboard.type('ana@acme.test')
    const [executionId = ''] = await runsDuring(server, async () => {
      await keys('Enter')
      await page.getByRole('status').waitFor()
    })
    await look(page, 'submitted')
    await expectAccessible(page)
    expect((await resultOf(server, executionId)).output).toEqual({
      answers: { name: 'Ana', mail: 'ana@acme.test', meal: 'With fish', extras: ['Parking'] },
    })
  })

  test('works without JavaScript, and explains that files need it', async () => {
    const url = await seed({ fields: EVERYTHING })
    await using page = await open(url, { javaScriptEnabled: false })
    await expect.poll(() => page.getByText('Uploading files needs JavaScript').isVisible()).toBe(true)
    expect(await page.locator('input[type=file]').isVisible()).toBe(false)
    await look(page, 'without-javascript')
    await page.getByLabel('Your name').fill('Ana')
    await page.getByLabel('E-mail').fill('x')
    await page.getByRole('button', { name: 'Submit' }).click()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ana')
    expect(await page.locator('#faults').textContent()).toContain('E-mail: This must be an e-mail address.')
    await page.getByLabel('E-mail').fill('ana@acme.test')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect.poll(() => page.textContent('main')).toContain('Your answer was received.')
  })

  test('uploads files, reports them, and keeps them if the rest is refused', async () => {
    const url = await seed({ fields: EVERYTHING.filter(({ name }) => ['name', 'papers'].includes(name)) })
    await using page = await open(url)
    const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await page
      .getByLabel('Papers')
      .setInputFiles([file('one.txt', 'first'), file('two.txt', 'second'), file('bad.exe', 'x')])
    await page.locator('.uploads').getByText('Not uploaded: only .txt, .pdf is accepted here.').waitFor()
    await expect.poll(() => page.locator('.uploads input[name=papers]').count()).toBe(2)
    await look(page, 'uploads')
    await expectAccessible(page)
    await page.getByLabel('Your name').fill('Ana')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.locator('#faults').getByText('Some files were not uploaded.').waitFor()
    await page.getByLabel('Your name').fill('')
    await page.getByRole('button', { name: 'Remove bad.exe' }).click()
    await page.getByRole('button', { name: 'Remove two.txt' }).click()
    expect(await page.locator('[data-upload-status]').textContent()).toBe('two.txt was removed.')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.locator('#faults li').waitFor()
    expect(await page.locator('.uploads li').textContent()).toContain('one.txt')
    await page.getByLabel('Your name').fill('Ana')
    const [executionId = ''] = await runsDuring(server, async () => {
      await page.getByRole('button', { name: 'Submit' }).click()
      await page.getByText('Your answer was received.').waitFor()
    })
    expect((await resultOf(server, executionId)).output).toEqual({
      answers: {
        name: 'Ana',
        papers: [{ filename: 'one.txt', contentType: 'text/plain', sizeBytes: 5, text: 'first' }],
      },
    })
  })

  test('a field may have the name of any property of a form element', async () => {
    const names = [
      ...['action', 'submit', 'elements', 'querySelector', 'querySelectorAll', 'addEventListener', 'closest'],
      // Not `getAttribute`: the browser driver calls it on forms.
      ...['id', 'name', 'toString', 'method', 'remove', 'prepend'],
    ]
    const url = await seed({
      fields: [
        ...names.map((name) => ({ name, label: `Field ${name}.`, type: 'text', required: true })),
        { name: 'dataset', label: 'Papers', type: 'file' },
      ],
    })
    await using page = await open(url)
    const label = (name: string) => page.getByLabel(`Field ${name}.`)
    const file = { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('first') }
    await page.getByLabel('Papers').setInputFiles([file])
    await page.getByText('one.txt was uploaded.').waitFor()
    for (const name of names.slice(1)) await label(name).fill(name)
    // Refused first: the returned page is of the same form.
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.locator('#faults li').waitFor()
    await label('action').fill('action')
    const [executionId = ''] = await runsDuring(server, async () => {
      await page.getByRole('button', { name: 'Submit' }).click()
      await page.getByText('Your answer was received.').waitFor()
    })
    expect((await resultOf(server, executionId)).output).toMatchObject({
      answers: { ...Object.fromEntries(names.map((name) => [name, name])), dataset: { text: 'first' } },
    })
  })

  test('keeps the answers without a connection', async () => {
    const url = await seed()
    await using page = await open(url)
    await page.getByLabel('Your name').fill('Ana')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('There is no connection. Your answers are still here').waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ana')
    expect(await page.evaluate('document.activeElement.id')).toBe('faults')
    await look(page, 'no-connection')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Your answer was received.').waitFor()
  })

  test('asks for a password, reports a wrong one, and admits with the right one', async () => {
    const url = await seed({
      config: { auth: { mode: 'basic', username: 'guest' } },
      password: 'open sesame',
    })
    await using page = await open(url, { colorScheme: 'dark' })
    await expectAccessible(page)
    await page.getByLabel('User name').fill('guest')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The user name or the password is wrong.').waitFor()
    await look(page, 'wrong-password')
    await expectAccessible(page)
    await page.getByLabel('Password').fill('open sesame')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Your name').waitFor()
  })

  test('for members redirects to the sign-in; unknown ones are reported', async () => {
    await using page = await open(await seed({ config: { auth: { mode: 'service-login' } } }))
    await expectAccessible(page)
    await look(page, 'for-members')
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toContain('/sign-in?next=')
    await page.goto(`${origin}/forms/unknown`)
    await expectAccessible(page)
    await look(page, 'not-found')
    expect(await page.textContent('h1')).toBe('This form is not available')
  })
})

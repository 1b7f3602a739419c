import { propertyOf } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'

const PATIENCE_MS = 90_000
const POLL = { timeout: 20_000, interval: 100 }
/** More than a picker offers at once. */
const AGENTS = 120
/** Scrolls an element around the focused field by a pixel; true if there is one that scrolls. */
const SHIFT = `(() => {
  for (let around = document.activeElement.parentElement; around; around = around.parentElement) {
    const before = around.scrollTop
    around.scrollTop = before > 0 ? before - 1 : 1
    if (around.scrollTop !== before) return true
  }
  return false
})()`
/** Types a text key by key into the search field, without a pause between two keys whatever the machine does. */
const typeSearch = (text: string) => `(() => {
  const field = document.querySelector('input[type=search]')
  const text = ${JSON.stringify(text)}
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
  for (let end = 1; end <= text.length; end += 1) {
    set.call(field, text.slice(0, end))
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
})()`

describe.skipIf(CHROMIUM === null)('lists with many things', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
    for (let n = 1; n <= AGENTS; n += 1) {
      const made = await asOperator('POST /agents', { name: `Helper ${String(n).padStart(3, '0')}` })
      await asOperator(`PUT /agents/${propertyOf(made, 'agentId')}/status`, { status: 'active' })
    }
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  /** Calls the builder's API of the seeded organization as the operator. */
  async function asOperator(target: string, body: object): Promise<unknown> {
    const { server } = journey
    const [method, path] = target.split(' ')
    const url = `/api/builder/v1/organizations/${server.seed.organizationId}${path}`
    const headers = { authorization: `Bearer ${server.adminToken}` }
    const answer = await server.call(`${method} ${url}`, { key: null, headers, body })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }

  test(
    'a search is sent when the typing pauses, and the address and the back button keep it',
    async () => {
      const { page, context } = await journey.open(await journey.person('owner'), `/o/${journey.slug}/agents`)
      const asked: string[] = []
      page.on('request', (request) => {
        const url = new URL(request.url())
        if (/\/agents$/.test(url.pathname)) asked.push(url.searchParams.get('q') ?? '')
      })
      const field = page.getByRole('searchbox')
      await page.getByRole('link', { name: 'Helper 120' }).waitFor()
      await page.evaluate(typeSearch('Helper 042'))
      // The address follows the search, and the request the address. A change of an agent may repeat a request.
      await page.waitForURL(/q=Helper(\+|%20)042/)
      await expect.poll(() => asked.at(-1), POLL).toBe('Helper 042')
      expect([...new Set(asked.filter((text) => text !== ''))]).toEqual(['Helper 042'])
      await page.getByRole('link', { name: 'Helper 042' }).click()
      await page.getByRole('heading', { level: 1, name: 'Helper 042' }).waitFor()
      await page.goBack()
      await expect.poll(() => field.inputValue(), POLL).toBe('Helper 042')
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the audit log is narrowed in its address, and a change of long ago opens by its own',
    async () => {
      const person = await journey.person('owner', 'Nora Narrow')
      const log = `/o/${journey.slug}/settings/audit`
      const { page, context } = await journey.open(person, `${log}?kind=nonsense&from=2026-02-30`)
      const rows = page.getByRole('row', { name: /Helper/ })
      await rows.first().waitFor()

      const audit = `${journey.url}/api/builder/v1/organizations/${journey.server.seed.organizationId}/audit`
      const created = `${audit}?action=agent.created&limit=100`
      const newer = propertyOf(await (await page.request.get(created)).json(), 'next')
      const older = await (await page.request.get(`${created}&after=${String(newer)}`)).json()
      const change = String(propertyOf(propertyOf(propertyOf(older, 'data'), '0'), 'id'))
      await page.goto(`${journey.url}${log}?change=${change}`)
      await page.getByRole('dialog', { name: 'Agent created' }).getByText('Helper 020').first().waitFor()
      await page.goto(`${journey.url}${log}?change=nonsense`)
      await page.getByRole('dialog').getByText('Change not found').waitFor()
      await page.getByRole('link', { name: 'Audit log' }).last().click()

      await page.getByRole('button', { name: /Kind/ }).click()
      await page.getByRole('option', { name: 'Agent', exact: true }).click()
      await page.getByRole('combobox', { name: 'Action' }).fill('status')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      const today = new Date().toLocaleDateString('sv')
      await page.getByLabel('From', { exact: true }).fill(today)
      await page.getByLabel('To', { exact: true }).fill(today)
      const search = () => new URL(page.url()).search
      await expect
        .poll(search, POLL)
        .toBe(`?action=agent.status_changed&from=${today}&kind=agent&to=${today}`)
      await page
        .getByRole('row', { name: /Agent status changed/ })
        .first()
        .waitFor()
      await expect.poll(() => page.getByRole('row', { name: /Agent created/ }).count(), POLL).toBe(0)
      await page.getByRole('combobox', { name: 'Who' }).fill('Nora')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByText('No changes match').waitFor()
      expect(new URL(page.url()).searchParams.get('actor')).toBe(person.userId)
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await rows.first().waitFor()
      expect(search()).toBe('')
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'chosen agents are archived together, and exported as one bundle',
    async () => {
      const { page, context } = await journey.open(
        await journey.person('owner'),
        `/o/${journey.slug}/agents?q=Helper+11`,
      )
      const choose = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).check()
      await choose('Helper 111')
      await choose('Helper 112')
      const bar = page.getByRole('toolbar', { name: '2 agents selected' })
      await bar.getByRole('button', { name: 'Export as bundle' }).click()
      const exported = page.getByRole('dialog')
      await exported.getByText('Helper 111').first().waitFor()
      expect(await exported.getByText('Helper 112').count()).toBeGreaterThan(0)
      expect(await exported.getByText('Helper 113').count()).toBe(0)
      await page.keyboard.press('Escape')
      await exported.waitFor({ state: 'detached' })
      await bar.getByRole('button', { name: 'Archive 2' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Archive 2' }).click()
      await page.getByText('2 agents archived').waitFor()
      await bar.waitFor({ state: 'detached' })
      const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
      await expect.poll(() => rowOf('Helper 111').getByText('Archived').count(), POLL).toBe(1)
      await expect.poll(() => rowOf('Helper 112').getByText('Archived').count(), POLL).toBe(1)
      expect(await rowOf('Helper 113').getByText('Active').count()).toBe(1)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a selection continues over pages and searches, and all of it is archived together',
    async () => {
      const { page, context } = await journey.open(
        await journey.person('owner'),
        `/o/${journey.slug}/agents?sort=name`,
      )
      const choose = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).check()
      const bar = (label: string) => page.getByRole('toolbar', { name: label, exact: true })
      await choose('Helper 002')
      await bar('1 agent selected').waitFor()
      await page.getByRole('button', { name: 'Next page' }).click()
      await bar('1 agent selected, 1 not on this page').waitFor()
      await choose('Helper 060')
      const all = page.getByRole('checkbox', { name: 'Select all rows' })
      await all.check()
      await bar('51 agents selected, 1 not on this page').waitFor()
      await all.uncheck()
      await choose('Helper 060')
      await bar('2 agents selected, 1 not on this page').waitFor()
      await page.getByRole('searchbox').fill('Helper 003')
      await bar('2 agents selected, 2 not on this page').getByRole('button', { name: 'Archive 2' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Archive 2' }).waitFor()
      await page.keyboard.press('Control+Enter')
      await page.getByText('2 agents archived').waitFor()
      await page.getByRole('toolbar', { name: /selected/ }).waitFor({ state: 'detached' })
      for (const name of ['Helper 002', 'Helper 060']) {
        await page.getByRole('searchbox').fill(name)
        await page.getByRole('row').filter({ hasText: name }).getByText('Archived').waitFor()
      }
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'Enter selects the highlighted option, although the response between the keys lacks it',
    async () => {
      const { page, context } = await journey.open(
        await journey.person('owner'),
        `/o/${journey.slug}/teams?create=1`,
      )
      const field = page.getByRole('combobox', { name: 'Members' })
      await field.focus()
      const option = (name: string) => page.getByRole('option', { name: new RegExp(`^${name}`) })
      await option('Helper 045').waitFor()
      const keysPressed = Promise.withResolvers<void>()
      await page.route(/\/agents\?.*q=/, async (route) => {
        await keysPressed.promise
        const response = await route.fetch()
        const answer: { data: { name: string }[] } = await response.json()
        const data = answer.data.filter(({ name }) => !['Helper 040', 'Helper 049'].includes(name))
        await route.fulfill({ response, json: { ...answer, data } })
      })
      await field.fill('Helper 04')
      // The response is delayed: the options are the matching ones of the previous response.
      await expect.poll(() => page.getByRole('option').count(), POLL).toBe(10)
      await field.press('ArrowDown')
      keysPressed.resolve()
      await option('Helper 049').waitFor({ state: 'detached' })
      expect(await page.getByRole('option').count()).toBe(9)
      await field.press('Enter')
      await page.locator('[aria-label="Remove Helper 040"]').waitFor()
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a list of options says Loading… until they are there, stays open when its field is moved, and closes when a person scrolls',
    async () => {
      const { page, context } = await journey.open(await journey.person('owner'), `/o/${journey.slug}/teams`)
      await page.setViewportSize({ width: 1280, height: 480 })
      const mayAnswer = Promise.withResolvers<void>()
      await page.route(/\/agents\?/, async (route) => {
        await mayAnswer.promise
        await route.continue()
      })
      await page.getByRole('button', { name: 'New team' }).first().click()
      // The field is below the edge: the focus scrolls it into view.
      const field = page.getByRole('combobox', { name: 'Members' })
      await field.focus()
      const loading = page.getByRole('listbox').getByText('Loading…')
      await loading.waitFor()
      /** Scrolls around the field, as the browser does when something above it grows. */
      const shift = async () => {
        expect(await page.evaluate(SHIFT), 'something scrolls').toBe(true)
        await page.waitForTimeout(500)
      }
      await shift()
      expect(await loading.isVisible()).toBe(true)
      mayAnswer.resolve()
      const option = page.getByRole('option', { name: /^Helper 045/ })
      await option.waitFor()
      await shift()
      expect(await option.isVisible()).toBe(true)
      await field.hover()
      await page.mouse.wheel(0, -40)
      await option.waitFor({ state: 'detached' })
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'an archive that fails half-way names its agent, and continues under a filter that the others leave',
    async () => {
      const { page, context } = await journey.open(
        await journey.person('owner'),
        `/o/${journey.slug}/agents?q=Helper+10&status=active`,
      )
      const names = ['Helper 101', 'Helper 102', 'Helper 103']
      for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
      await page.getByRole('button', { name: 'Archive 3' }).click()
      const sent: string[] = []
      await page.route(/\/agents\/[^/]+\/status$/, (route) => {
        sent.push(route.request().url())
        return sent.length === 2 ? route.abort() : route.continue()
      })
      const dialog = page.getByRole('alertdialog')
      const confirm = dialog.getByRole('button', { name: 'Archive 3' })
      await confirm.click()
      await dialog.getByText(/^Helper 10[123] was not archived$/).waitFor()
      const rowOf = (name: string) => page.locator('tr', { hasText: name })
      const left = async () => {
        const counts = await Promise.all(names.map((name) => rowOf(name).count()))
        return counts.reduce((sum, count) => sum + count, 0)
      }
      await expect.poll(left, POLL).toBe(2)
      await confirm.click()
      await page.getByText('3 agents archived').waitFor()
      await expect.poll(left, POLL).toBe(0)
      // The one that failed was sent again; the first one was not.
      expect(sent).toHaveLength(4)
      expect(sent[2]).toBe(sent[1])
      expect(new Set(sent).size).toBe(3)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a number can be saved while its field still has the focus',
    async () => {
      const { page, context } = await journey.open(
        await journey.person('owner'),
        `/o/${journey.slug}/settings/budgets?create=1`,
      )
      const dialog = page.getByRole('dialog')
      const save = dialog.getByRole('button', { name: 'Save budget' })
      const limit = dialog.getByRole('textbox', { name: 'Limit per month' })
      expect(await save.isDisabled()).toBe(true)
      await limit.pressSequentially('1234.5')
      await expect.poll(() => save.isEnabled(), POLL).toBe(true)
      // Input stays unchanged until the field is left.
      expect(await limit.inputValue()).toBe('1234.5')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('$1,234.50', { exact: false }).first().waitFor()
      await context.close()
    },
    PATIENCE_MS,
  )
})

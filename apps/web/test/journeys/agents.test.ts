import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { propertyOf } from '@troupe/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchMouseOff, WIDTHS } from '../browser.ts'
import { agentPath, configOf, newAgent, saveButton, saved } from './agent-steps.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('the page of an agent', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const call = (target: string, body?: object) => journey.server.call(target, body ? { body } : {})
  const instructions = (page: Page) => page.getByRole('textbox', { name: 'Instructions' })

  test(
    'a new agent needs a name only, shows what its model sees, is saved, and answers callers',
    async () => {
      const window = await journey.open(await journey.person('member'), `/o/${journey.slug}/agents?create=1`)
      const { page, faults } = window
      await page.getByRole('textbox', { name: 'Name' }).fill('Order desk')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/agents\/[0-9a-f-]{36}$/)
      const agentId = page.url().split('/').at(-1) ?? ''
      const focused = () => page.evaluate("document.activeElement.closest('h1, button')?.textContent ?? null")
      await instructions(page).waitFor()
      await expect.poll(focused).toBe('Order desk')
      await instructions(page).fill('You answer questions about orders.')
      const seen = page.getByRole('complementary', { name: 'What the model sees' })
      await seen.getByText('You answer questions about orders.').waitFor()
      await seen.getByRole('button', { name: 'Go to the setting: Instructions' }).click()
      expect(await instructions(page).and(page.locator(':focus')).count()).toBe(1)
      await page.getByText('1 unsaved change').first().waitFor()
      await page.getByRole('button', { name: 'Review changes' }).click()
      await page
        .getByRole('dialog')
        .getByText('You answer questions about orders.', { exact: true })
        .waitFor()
      await expectGood(window, 'agent-review')
      await page.keyboard.press('Escape')
      await saveButton(page).click()
      await saved(page)
      await page.getByText('Callers run version 2 now.').waitFor()
      expect(propertyOf(await configOf(journey, agentId), 'instructions')).toBe(
        'You answer questions about orders.',
      )
      await page.getByRole('button', { name: 'Activate' }).click()
      await page.getByText('The agent is active').waitFor()
      await page.getByRole('button', { name: 'Activate' }).waitFor({ state: 'detached' })
      await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('More actions')
      await page.getByRole('tab', { name: 'Playground' }).click()
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Where is it?')
      await page.keyboard.press('Enter')
      await page.getByRole('log', { name: 'Playground' }).getByRole('link', { name: 'Trace' }).waitFor()
      await page.getByRole('tab', { name: 'Use' }).click()
      const command = await page.getByRole('region', { name: 'Program in curl' }).innerText()
      expect(command).toContain(agentId)
      // The server of a test listens on another port than its public URL has.
      const { stdout } = await promisify(execFile)(
        'sh',
        ['-c', command.replace(/https?:\/\/[^/']+/, journey.url)],
        {
          env: { ...process.env, TROUPE_API_KEY: journey.server.seed.keys.organization },
        },
      )
      expect(propertyOf(JSON.parse(stdout), 'success')).toBe(true)
      expect(faults).toEqual([])
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a number that is typed is saved by the keyboard without leaving its field',
    async () => {
      const agentId = await newAgent(journey, 'Numbers')
      const { page, context } = await journey.open(
        await journey.person('member'),
        agentPath(journey, agentId),
      )
      await instructions(page).waitFor()
      await page.getByText('Parameters').first().click()
      await page.getByRole('textbox', { name: 'Temperature' }).fill('0.25')
      await page.keyboard.press('Control+s')
      await saved(page)
      const model = propertyOf(await configOf(journey, agentId), 'model')
      expect(propertyOf(propertyOf(model, 'primary'), 'temperature')).toBe(0.25)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'input survives a reload, and discarding it shows the live version',
    async () => {
      const agentId = await newAgent(journey, 'Kept', { instructions: 'Live text.' })
      const { page, context } = await journey.open(
        await journey.person('member'),
        agentPath(journey, agentId),
      )
      await instructions(page).fill('Typed and not saved.')
      await page.getByText('1 unsaved change').first().waitFor()
      await page.reload()
      await page.getByText('1 unsaved change').first().waitFor()
      expect(await instructions(page).innerText()).toBe('Typed and not saved.')
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await page.getByText('Live text.').first().waitFor()
      expect(await saveButton(page).count()).toBe(0)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a colleague’s save in between is merged by field, and the same field is a conflict',
    async () => {
      const agentId = await newAgent(journey, 'Shared', { instructions: 'First.' })
      const ana = await journey.open(await journey.person('member', 'Ana'), agentPath(journey, agentId))
      const eva = await journey.open(await journey.person('member', 'Eva'), agentPath(journey, agentId))
      // Eva's page must not receive Ana's save before her own: this tests the 409.
      await eva.context.route('**/events?*', (route) => route.abort())
      await eva.page.reload()
      await instructions(eva.page).fill('Of Eva.')

      await ana.page.getByRole('textbox', { name: 'Description' }).fill('Of Ana.')
      await saveButton(ana.page).click()
      await saved(ana.page)
      await saveButton(eva.page).click()
      // The bar of the edit has the same text while the merged edit is being sent.
      const notices = eva.page.getByRole('region', { name: 'Notices' })
      await notices.getByText('Merged with changes by Ana (1 setting).').waitFor()
      const joined = (await call(`GET /api/v1/agents/${agentId}`)).body
      expect(propertyOf(joined, 'description')).toBe('Of Ana.')
      expect(propertyOf(propertyOf(joined, 'config'), 'instructions')).toBe('Of Eva.')

      await ana.page.getByText('Of Eva.').first().waitFor()
      await instructions(ana.page).fill('Ana again.')
      await instructions(eva.page).fill('Eva again.')
      await saveButton(ana.page).click()
      await saved(ana.page)
      await saveButton(eva.page).click()
      const dialog = eva.page.getByRole('dialog', { name: /^Ana changed this agent/ })
      await dialog.waitFor()
      expect(propertyOf(await configOf(journey, agentId), 'instructions')).toBe('Ana again.')
      await expectGood(eva, 'agent-merge')

      // Undo restores the dropped changes and the conflict.
      await dialog.getByRole('button', { name: 'Drop my changes' }).click()
      await expect.poll(() => instructions(eva.page).innerText()).toBe('Ana again.')
      await notices.getByText('Your change was dropped').waitFor()
      await notices.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => instructions(eva.page).innerText()).toBe('Eva again.')
      await eva.page.getByRole('button', { name: 'Decide…' }).click()
      await dialog.waitFor()
      await dialog.getByText('Ana again.').click()
      await dialog.getByText('Eva again.').click()
      await dialog.getByRole('button', { name: 'Merge and save' }).click()
      await dialog.waitFor({ state: 'detached' })
      // The decided conflict is an ordinary edit from here on, sent by the bar of the page.
      await expect
        .poll(async () => propertyOf(await configOf(journey, agentId), 'instructions'))
        .toBe('Eva again.')
      expect([...ana.faults, ...eva.faults]).toEqual([])
      await ana.context.close()
      await eva.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a save of an edit that was joined with a change of a colleague leaves nothing unsaved',
    async () => {
      const agentId = await newAgent(journey, 'Joined', { instructions: 'First.' })
      const eva = await journey.open(await journey.person('member', 'Eva'), agentPath(journey, agentId))
      await instructions(eva.page).fill('Of Eva.')
      await eva.page.getByText('1 unsaved change').first().waitFor()
      const ana = await journey.open(await journey.person('member', 'Ana'), agentPath(journey, agentId))
      const description = (page: Page) => page.getByRole('textbox', { name: 'Description' })
      await description(ana.page).fill('Of Ana.')
      const marked = ana.page.locator('[data-changed]').filter({ has: description(ana.page) })
      await marked.getByText('Not saved yet').waitFor()
      await saveButton(ana.page).click()
      await saved(ana.page)
      await expect.poll(() => description(eva.page).inputValue()).toBe('Of Ana.')
      await saveButton(eva.page).click()
      await saved(eva.page)
      await saveButton(eva.page).waitFor({ state: 'detached' })
      await eva.page.reload()
      await instructions(eva.page).waitFor()
      await eva.page.waitForLoadState('networkidle')
      expect(await saveButton(eva.page).count()).toBe(0)
      const stored = (await call(`GET /api/v1/agents/${agentId}`)).body
      expect(propertyOf(stored, 'description')).toBe('Of Ana.')
      expect(propertyOf(propertyOf(stored, 'config'), 'instructions')).toBe('Of Eva.')
      await ana.context.close()
      await eva.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the saved state is shown even if it cannot be refetched, with the failure above it',
    async () => {
      const agentId = await newAgent(journey, 'Unread', { instructions: 'First.' })
      const { page, context } = await journey.open(
        await journey.person('member'),
        agentPath(journey, agentId),
      )
      await instructions(page).fill('Second.')
      let isSaved = false
      await page.route(new RegExp(`/agents/${agentId}$`), async (route) => {
        if (route.request().method() !== 'GET') isSaved = true
        if (isSaved && route.request().method() === 'GET') await route.fulfill({ status: 500, body: '{}' })
        else await route.continue()
      })
      await saveButton(page).click()
      await saved(page)
      await page.getByText('The agent could not be loaded').waitFor()
      expect(await instructions(page).innerText()).toBe('Second.')
      expect(await saveButton(page).count()).toBe(0)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'an item that is moved stays open and has the focus, and the focus never falls to the page',
    async () => {
      const tool = (name: string) => ({
        type: 'http',
        method: 'GET',
        name,
        description: 'x',
        url: 'https://shop.example/',
      })
      const agentId = await newAgent(journey, 'Moves', { tools: [tool('orders'), tool('refunds')] })
      const window = await journey.open(
        await journey.person('member'),
        agentPath(journey, agentId, '?open=tools'),
      )
      const { page } = window
      await switchMouseOff(window)
      const focused = (label: string) =>
        expect
          .poll(() => page.evaluate<string | null>("document.activeElement.getAttribute('aria-label')"))
          .toBe(label)
      const act = async (name: string, entry: string) => {
        await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter')
        await page.getByRole('menuitem', { name: entry }).press('Enter')
      }
      const first = page.locator('summary').filter({ hasText: 'orders' })
      await first.press('Enter')
      await act('orders', 'Move down')
      await page.getByText('orders is now number 2').waitFor()
      await focused('Actions for orders')
      const open = page.locator('li > details[open]')
      expect(await open.count()).toBe(1)
      expect(await open.locator('summary').first().innerText()).toContain('orders')
      await act('refunds', 'Remove')
      await focused('Actions for orders')
      await saveButton(page).press('Enter')
      await saved(page)
      await saveButton(page).waitFor({ state: 'detached' })
      await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false)
      await act('orders', 'Remove')
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add tool')
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'settings that another choice removes from a tool return with the previous one, and a chosen model does not move the focus',
    async () => {
      const builtin = { type: 'builtin', builtin: 'web_search', name: 'search' }
      const credential = '00000000-0000-4000-8000-000000000000'
      const agentId = await newAgent(journey, 'Choices', {
        tools: [{ type: 'builtin', builtin: 'calculator' }],
      })
      const window = await journey.open(
        await journey.person('member'),
        agentPath(journey, agentId, '?open=tools'),
      )
      const { page } = window
      const model = page.getByRole('combobox', { name: 'Model' })
      const shown = await model.inputValue()
      await model.click()
      await model.press('ArrowDown')
      await model.press('ArrowDown')
      await model.press('Enter')
      await page.getByText('1 unsaved change').first().waitFor()
      expect(await model.and(page.locator(':focus')).count()).toBe(1)
      expect(await model.inputValue()).not.toBe(shown)
      await page.locator('summary').filter({ hasText: 'Calculator' }).click()
      await page.locator('summary').filter({ hasText: 'Limits and more' }).click()
      await page.locator('summary').filter({ hasText: 'As JSON' }).click()
      const json = page.getByRole('textbox', { name: 'As JSON' })
      await json.fill(JSON.stringify({ ...builtin, auth_credential_id: credential }))
      await page
        .getByRole('radio', { name: /Search the web/ })
        .and(page.locator(':checked'))
        .waitFor()
      await page.getByText('Calculator', { exact: true }).last().click()
      await expect.poll(() => json.innerText()).not.toContain(credential)
      await json.fill(
        JSON.stringify({ type: 'mcp', url: 'https://tools.example/', headers: { 'X-Shop': '7' } }),
      )
      const address = page.getByRole('textbox', { name: 'Address' })
      await address.waitFor()
      await page.getByText('A server of this organization').click()
      await address.waitFor({ state: 'detached' })
      await expect.poll(() => json.innerText()).not.toContain('X-Shop')
      await page.getByText('Another server, by its address').click()
      await address.waitFor()
      expect(await address.inputValue()).toBe('https://tools.example/')
      await expect.poll(() => json.innerText()).toContain('X-Shop')
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'an invalid value is shown at its field, and Save moves there instead of sending it',
    async () => {
      const agentId = await newAgent(journey, 'Wrong')
      const { page, context } = await journey.open(
        await journey.person('member'),
        agentPath(journey, agentId, '?open=tools'),
      )
      await page.getByRole('button', { name: 'Add tool' }).click()
      await page.getByRole('menuitem', { name: /^Code/ }).click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('not a name')
      await page.getByText('1 setting needs attention').waitFor()
      await saveButton(page).click()
      expect(propertyOf(await configOf(journey, agentId), 'tools')).toEqual([])
      await page.getByText('Must start with a letter').first().waitFor()
      // A corrected value is saved by the same press, before the page has cleared the error.
      await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('orders')
      await page.keyboard.press('Control+s')
      await saved(page)
      expect(propertyOf(await configOf(journey, agentId), 'tools')).toMatchObject([{ name: 'orders' }])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a viewer reads every setting and changes none',
    async () => {
      const agentId = await newAgent(journey, 'Read only', { instructions: 'Read me.' })
      const window = await journey.open(await journey.person('viewer'), agentPath(journey, agentId))
      await window.page.getByText(/You can view this agent but not change it/).waitFor()
      expect(await window.page.getByRole('textbox', { name: 'Name' }).isEditable()).toBe(false)
      await expectGood(window, 'agent-viewer')
      await window.page.goto(journey.url + agentPath(journey, '00000000-0000-4000-8000-000000000000'))
      await window.page.getByRole('heading', { name: 'Agent not found' }).waitFor()
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test.each(WIDTHS)(
    'the editor has no visual faults at %d px, in light and dark',
    async (width) => {
      const agentId = await newAgent(journey, 'Everything', {
        instructions: '# Who you are\nYou help customers of a bicycle shop.\n\n- Be brief.\n- Never guess.',
        prompt: { add_datetime: true, expected_output: 'Two sentences.' },
        model: { fallbacks: [{ temperature: 0.2 }] },
        tools: [
          { type: 'builtin', builtin: 'calculator' },
          {
            type: 'http',
            name: 'find_order',
            description: 'Finds an order by its number.',
            method: 'GET',
            url: 'https://shop.example/orders/{number}',
            input_schema: {
              type: 'object',
              properties: { number: { type: 'string' } },
              required: ['number'],
            },
            approval: { field: 'number', op: 'starts_with', value: 'X' },
          },
        ],
        guardrails: { input: [{ type: 'pii', action: 'redact' }], output: [] },
        later: true,
      })
      const window = await journey.open(await journey.person('owner'), agentPath(journey, agentId), { width })
      const { page } = window
      await instructions(page).waitFor()
      await page.waitForLoadState('networkidle')
      await expectGood(window, `agent-${width}`)
      const all = 'tools,knowledge,skills,memory,guardrails,answer,limits,privacy,advanced'
      await page.goto(journey.url + agentPath(journey, agentId, `?open=${all}`))
      // Not by the text alone, which "What the model sees" also has once it is loaded.
      for (const row of ['find_order', 'Limits and more', 'Personal data', 'Parameters']) {
        await page.locator('summary').filter({ hasText: row }).first().click()
      }
      await page.getByRole('textbox', { name: 'Description' }).first().fill('Answers customers.')
      await page.waitForLoadState('networkidle')
      await expectGood(window, `agent-open-${width}`)
      await window.context.close()
    },
    2 * PATIENCE_MS,
  )
})

import { propertyOf } from '@troupe/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentPath, configOf, newAgent, saveButton, saved } from './agent-steps.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { ask, log } from './playground-steps.ts'
import { expose, field, press } from './resource-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

async function addFrom(page: Page, button: string, entry: RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/** The element with the focus is described by this text. */
const focusedError = (page: Page) =>
  page.evaluate(
    `(document.activeElement.getAttribute('aria-describedby') ?? '').split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '').join(' ')`,
  )

describe.skipIf(CHROMIUM === null)('the tools and guardrails of an agent', () => {
  let journey: Journey
  beforeAll(async () => {
    // The server is its own MCP server and has an OpenAPI document, on the loopback network.
    journey = await startJourney({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } })
    await expose(journey, 'Answers questions about orders.')
    // It is built on its first request, which on a loaded machine may take longer than the time limit of a
    // navigation.
    await journey.server.call('GET /api/v1/openapi.json', { key: null })
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const openEditor = async (name: string, open: string, config: object = {}) => {
    const agentId = await newAgent(journey, name, config)
    const path = agentPath(journey, agentId, `?open=${open}`)
    return { agentId, ...(await journey.open(await journey.person('member'), path)) }
  }

  test(
    'the operations of a document are found and chosen; a new tool is red once a save was tried',
    async () => {
      const { page, agentId, faults, context } = await openEditor('Of a document', 'tools')
      await addFrom(page, 'Add tool', /OpenAPI/)
      await page.getByText('1 setting needs attention').waitFor()
      const wrong = page.getByText('Must start with http:// or https:// and a host')
      expect(await wrong.count()).toBe(0)
      await saveButton(page).click()
      await wrong.waitFor()
      await expect.poll(() => focusedError(page)).toContain('Must start with http')
      await field(page, 'Address of the document').fill(`${journey.url}/api/v1/openapi.json`)
      await press(page, 'Find its operations')
      await page.getByRole('searchbox', { name: 'Find an operation' }).fill('listAgents')
      await page.getByRole('checkbox', { name: 'listAgents' }).check({ force: true })
      await saveButton(page).click()
      await saved(page)
      expect(propertyOf(await configOf(journey, agentId), 'tools')).toMatchObject([
        { type: 'openapi', operations: ['listAgents'] },
      ])
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a document is pasted as YAML or as JSON, and its operations are found',
    async () => {
      const json = {
        openapi: '3.0.0',
        servers: [{ url: 'https://shop.example' }],
        paths: { '/carts': { get: { operationId: 'listCarts' } } },
      }
      const { page, agentId, faults, context } = await openEditor('Of a text', 'tools', {
        tools: [{ type: 'openapi', name: 'shop', document: json }],
      })
      await page.locator('summary').filter({ hasText: 'shop' }).click()
      const text = page.getByRole('textbox', { name: 'OpenAPI document' })
      const paste = async (document: string) => {
        await text.click()
        await page.keyboard.press('ControlOrMeta+a')
        await page.keyboard.insertText(document)
      }
      const documentOf = async () => {
        const tools = propertyOf(await configOf(journey, agentId), 'tools')
        return Array.isArray(tools) ? propertyOf(tools[0], 'document') : undefined
      }
      const yaml =
        'openapi: 3.1.0\nservers:\n  - url: https://shop.example\npaths:\n  /orders:\n    get:\n      operationId: listOrders\n'
      await paste(yaml)
      await saveButton(page).click()
      await saved(page)
      expect(await documentOf()).toBe(yaml)
      await page.reload()
      await page.locator('summary').filter({ hasText: 'shop' }).click()
      await expect.poll(() => text.innerText()).toContain('operationId: listOrders')
      await press(page, 'Find its operations')
      await page.getByRole('checkbox', { name: 'listOrders' }).waitFor()
      await paste(JSON.stringify(json).slice(0, -1))
      await page.getByText(/^Not valid JSON yet/).waitFor()
      await page.keyboard.insertText('}')
      await saveButton(page).click()
      await expect.poll(documentOf).toEqual(json)
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'operations that cannot be sent are listed with their reasons, and a save reports them',
    async () => {
      const upload = { operationId: 'uploadPicture', requestBody: { content: { 'image/png': {} } } }
      const document = {
        openapi: '3.0.0',
        servers: [{ url: 'https://shop.example' }],
        paths: { '/carts': { get: { operationId: 'listCarts' } }, '/pictures': { post: upload } },
      }
      const { page, faults, context } = await openEditor('Of what is omitted', 'tools', {
        tools: [{ type: 'openapi', name: 'shop', document }],
      })
      await page.locator('summary').filter({ hasText: 'shop' }).click()
      await press(page, 'Find its operations')
      await page.getByRole('checkbox', { name: 'listCarts' }).waitFor()
      const reason = 'Its body is image/png, which is not supported.'
      await page.getByText(`uploadPicture: ${reason}`, { exact: true }).waitFor()
      await field(page, 'Prefix').fill('s')
      await saveButton(page).click()
      await saved(page)
      await page
        .getByRole('status')
        .filter({ hasText: `offers no tool uploadPicture: ${reason}` })
        .waitFor()
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the tools of a server by its address are found, and one is called',
    async () => {
      const { page, faults, context } = await openEditor('Of a server', 'tools')
      await addFrom(page, 'Add tool', /MCP server/)
      await page.getByText('Another server, by its address').click()
      await field(page, 'Address').fill('')
      await page.getByText('Is required').waitFor()
      await field(page, 'Address').fill(`${journey.url}/api/v1/mcp`)
      await page.getByText('The server’s address').waitFor()
      const headers = page.getByRole('textbox', { name: 'Headers' })
      await headers.click()
      await page.keyboard.insertText(JSON.stringify({ 'X-API-Key': journey.server.seed.keys.organization }))
      await page
        .locator('summary')
        .filter({ hasText: new URL(journey.url).host })
        .waitFor()
      await page.locator('summary').filter({ hasText: 'Try it' }).click()
      await press(page, 'Find its tools')
      const which = page.getByRole('combobox', { name: 'Which tool' })
      await page.getByPlaceholder('Choose a tool').waitFor()
      await which.fill('order')
      await page.getByRole('option', { name: /order_desk/ }).click()
      const args = page.getByRole('textbox', { name: 'Arguments' })
      await args.click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText('{"message": "Where is order 17?"}')
      await press(page, 'Call the tool')
      await page.getByText(/Answered in/).waitFor()
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'an MCP tool is called through its server, and "Ask when…" names its missing field',
    async () => {
      const { body } = await journey.server.call(
        `POST /api/builder/v1/organizations/${journey.server.seed.organizationId}/mcp-servers`,
        {
          key: null,
          headers: { authorization: `Bearer ${journey.server.adminToken}` },
          body: { name: 'Desk of orders', slug: 'desk-of-orders', url: `${journey.url}/nothing` },
        },
      )
      const tool = { type: 'mcp', server_id: propertyOf(body, 'mcpServerId') }
      const { page, context } = await openEditor('With a server', 'tools', { tools: [tool] })
      const head = page.locator('summary').filter({ hasText: 'Desk of orders' })
      await head.filter({ hasText: '0 tools' }).click()
      await page.getByText('Ask when…').click()
      await head.filter({ hasText: 'Ask when…' }).waitFor()
      await page.getByText('1 setting needs attention').waitFor()
      await press(page, 'Tool 1: Approval: Argument')
      await expect.poll(() => focusedError(page)).toContain('Is required')
      expect(await page.getByText(/never, always/).count()).toBe(0)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'all errors of one address are shown at it, as one setting',
    async () => {
      const url = 'https://shop.example/{order}?shop={{ context.shop }}'
      const { page, context } = await openEditor('Two faults', 'tools')
      await addFrom(page, 'Add tool', /HTTP request/)
      await field(page, 'Address').fill(url)
      await page
        .getByText(
          /\{order\} is not in “Arguments”. \{\{ context\.shop \}\} is not in “Values from the caller”/,
        )
        .waitFor()
      await page.getByText('1 setting needs attention').waitFor()
      await page.getByRole('button', { name: 'Tool look_up: Address', exact: true }).waitFor()
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a rule that judges a text as a whole offers no redaction, and its message is shown if it blocks',
    async () => {
      const { page, context } = await openEditor('Guarded', 'guardrails')
      await page
        .getByRole('button', { name: /^Add rule/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: /^Length/ }).click()
      const what = page.getByRole('radiogroup', { name: 'Action' })
      await what.waitFor()
      // The button stays, and its result is focused.
      await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('summary')
      expect(await what.getByRole('radio').count()).toBe(2)
      await field(page, 'Message').waitFor()
      await what.getByText('Flag', { exact: true }).click()
      await field(page, 'Message').waitFor({ state: 'hidden' })
      await page.locator('summary').filter({ hasText: 'Timing and failures' }).click()
      await field(page, 'Message').waitFor()
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a message stopped by a guardrail is marked, even after a reload',
    async () => {
      const input = [{ type: 'pii', action: 'block', message: 'No addresses, please.' }]
      const agentId = await newAgent(journey, 'Strict', { guardrails: { input } })
      const path = agentPath(journey, agentId, '?tab=playground')
      const { page, context } = await journey.open(await journey.person('member'), path)
      await ask(page, 'Write to ana@example.com')
      await log(page).getByText('No addresses, please.').first().waitFor()
      await log(page).getByText('A guardrail stopped the message.').waitFor()
      await log(page).getByText('Personal data (message): block').waitFor()
      await log(page).getByText('Found: E-mail addresses (1).').waitFor()
      await page.reload()
      await log(page).getByText('No addresses, please.').first().waitFor()
      await log(page)
        .getByText(/A guardrail stopped the message\.|It ended without success\./)
        .waitFor()
      expect(await log(page).getByText('The model refused').count()).toBe(0)
      await context.close()
    },
    PATIENCE_MS,
  )
})

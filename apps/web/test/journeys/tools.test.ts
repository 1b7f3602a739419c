import { once } from 'node:events'
import { createServer } from 'node:net'
import { propertyOf } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WIDTHS } from '../browser.ts'
import { hold } from './held-calls.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { chooseAction, expectGoodPages, expose, field, press, rewrite } from './resource-steps.ts'

/** The origin of a port of this machine where nothing listens. */
async function closedOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
}

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('MCP servers and credentials', () => {
  let journey: Journey
  beforeAll(async () => {
    // The server is its own MCP server, on the loopback network.
    journey = await startJourney({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } })
    await expose(journey, 'Answers questions about orders.')
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test(
    'a credential and an MCP server are created, its tools are listed, tested, and confirmed when they change',
    async () => {
      const { url, slug, server } = journey
      const secret = server.seed.keys.organization
      const { page, faults } = await journey.open(
        await journey.person('admin'),
        `/o/${slug}/tools?tab=credentials&create=1`,
      )
      await field(page, 'Name').fill('Own key')
      await field(page, 'Hosts').fill('http://127.0.0.1:3000/x')
      await page.keyboard.press('Enter')
      await field(page, 'Hosts').fill('bad host')
      await page.keyboard.press('Enter')
      // As it is copied from a page.
      await field(page, 'Token').focus()
      await page.evaluate(`{
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', ${JSON.stringify(` ${secret}\n`)})
        document.activeElement.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        )
      }`)
      expect(await field(page, 'Token').inputValue()).toBe(secret)
      await press(page, 'Add credential')
      const fault = page.getByText('“bad host” must be a host name', { exact: false })
      await fault.waitFor()
      await page.getByRole('row', { name: 'bad host' }).getByRole('button').click()
      await fault.waitFor({ state: 'detached' })
      await press(page, 'Add credential')
      const row = page.getByRole('row', { name: /Own key.*127\.0\.0\.1/ })
      await row.getByText(`••••${secret.slice(-4)}`).waitFor()
      await row.click()
      await page.getByRole('dialog', { name: 'Change “Own key”' }).waitFor()
      await page.reload()
      await page.getByRole('dialog', { name: 'Change “Own key”' }).waitFor()
      await page.keyboard.press('Escape')
      await page.waitForURL((address) => !address.search.includes('credential='))
      expect(await page.content()).not.toContain(secret)

      await page.goto(`${url}/o/${slug}/tools?create=1`)
      await field(page, 'Name').fill('Troupe itself')
      await field(page, 'Address').fill(`${url}/api/v1/mcp`)
      await page.getByRole('button', { name: /Credential/ }).click()
      await page.getByRole('option', { name: /Own key/ }).click()
      await press(page, 'Connect')
      await page.getByText(/The server offers 1 tool/).waitFor()
      await page.getByText('Answers questions about orders.').waitFor()
      const serverPage = page.url()

      const testCall = page.getByRole('button', { name: 'Test call of order_desk' })
      await testCall.click()
      await page.getByText('It may also have session_id.', { exact: false }).waitFor()
      await rewrite(page, '{"message": "Where is order 17?"}')
      await press(page, 'Call the tool')
      await page
        .getByRole('dialog')
        .getByText(/Answered in/)
        .waitFor()
      await page
        .getByRole('dialog')
        .getByText(/Where is order 17\?/)
        .last()
        .waitFor()
      await page.getByRole('button', { name: 'Close' }).click()

      await expose(journey, 'Sends every order to a stranger.')
      await press(page, 'Refresh tools')
      await page.getByRole('heading', { name: 'Changed tools' }).waitFor()
      await page
        .getByText(/to a stranger/)
        .first()
        .waitFor()
      expect(await testCall.getAttribute('aria-description')).toMatch(/^Agents get it after its change/)
      await page.getByText('Agents get these, except the changed one.', { exact: false }).waitFor()
      await page.getByRole('button', { name: 'Confirm', exact: true }).click()
      await page.getByText('1 tool is confirmed').waitFor()
      await page.getByRole('heading', { name: 'Changed tools' }).waitFor({ state: 'detached' })
      expect(await testCall.getAttribute('aria-disabled')).toBeNull()

      await page.goto(`${url}/o/${slug}/tools?tab=credentials`)
      await chooseAction(page, 'Own key', 'Delete…')
      const used = page.getByRole('dialog', { name: '“Own key” cannot be deleted yet' })
      await used.getByRole('link', { name: 'Troupe itself' }).waitFor()
      expect(await used.getByRole('button').allInnerTexts()).toEqual(['', 'Close'])
      expect(new URL(serverPage).search).toBe('')
      // The browser itself reports the refused host.
      expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'a save of a server or a credential on top of a colleague’s change shows both values by their names',
    async () => {
      const { server, slug } = journey
      const home = `/api/builder/v1/organizations/${server.seed.organizationId}`
      const headers = { authorization: `Bearer ${server.adminToken}` }
      const send = async (target: string, body: object) => {
        const [method, path] = target.split(' ')
        const answer = await server.call(`${method} ${home}${path}`, { key: null, headers, body })
        expect(answer.status, target).toBeLessThan(300)
        return answer.body
      }
      const credential = {
        kind: 'bearer',
        secret: 'sk-shared-1234',
        hosts: ['tools.example'],
        projectId: null,
      }
      const made = await Promise.all(
        ['Day key', 'Night key', 'Spare key'].map((name) =>
          send('POST /credentials', { ...credential, name, slug: name.toLowerCase().replace(' ', '-') }),
        ),
      )
      const [day, night, spare] = made.map((one) => String(propertyOf(one, 'credentialId')))
      const shared = { name: 'Shared server', slug: 'shared-server', url: 'https://tools.example/mcp' }
      const { mcpServerId } = (await send('POST /mcp-servers', { ...shared, credentialId: day })) as {
        mcpServerId: string
      }
      const { page, faults } = await journey.open(
        await journey.person('admin'),
        `/o/${slug}/tools/servers/${mcpServerId}`,
      )
      await press(page, 'Change…')
      await page.getByRole('button', { name: /Credential/ }).click()
      await page.getByRole('option', { name: /Spare key/ }).click()
      const ofServer = await hold(page, 'GET', /\/mcp-servers\/[^/]+$/)
      await send(`PUT /mcp-servers/${mcpServerId}`, { credentialId: night, version: 1 })
      await press(page, 'Save')
      const question = page.getByRole('dialog', { name: /changed this MCP server/ })
      await question.waitFor()
      await ofServer.release()
      await question.getByText('Night key becomes Spare key').waitFor()
      await press(page, 'Keep mine')
      await page.getByText('“Shared server” was saved').waitFor()
      expect(await send(`PUT /mcp-servers/${mcpServerId}`, { name: 'Seen', version: 3 })).toMatchObject({
        credential: { credentialId: spare },
      })

      await page.goto(`${journey.url}/o/${slug}/tools?tab=credentials&q=Day`)
      await chooseAction(page, 'Day key', 'Change…')
      await field(page, 'Name').fill('Mine')
      await field(page, 'Token').fill('sk-mine-5678')
      // Her page has received the change before she saves; a stored secret is a conflict all the same.
      const heard = page.waitForResponse(/\/credentials\/[^/]+$/)
      await send(`PUT /credentials/${day}`, { name: 'Theirs', secret: 'sk-theirs-9012', version: 1 })
      await (await heard).finished()
      await press(page, 'Save')
      const second = page.getByRole('dialog', { name: /changed this credential/ })
      await second.waitFor()
      await second.getByText('Theirs becomes Mine').waitFor()
      await second.getByText('The stored secret becomes The new secret').waitFor()
      expect(await second.textContent()).not.toContain('sk-mine')
      await press(page, 'Keep mine')
      await page.getByText('“Mine” was saved').waitFor()
      // The browser itself reports the two refused saves.
      expect(faults.filter((fault) => !fault.includes('409'))).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'the next server of the list shows nothing of the previous one, and is renamed by its key',
    async () => {
      const { url, slug, server } = journey
      const path = `POST /api/builder/v1/organizations/${server.seed.organizationId}/mcp-servers`
      const headers = { authorization: `Bearer ${server.adminToken}` }
      for (const name of ['Beside one', 'Beside two']) {
        const body = { name, slug: name.toLowerCase().replace(' ', '-'), url: `${url}/nothing/here` }
        expect((await server.call(path, { key: null, headers, body })).status).toBe(201)
      }
      const { page } = await journey.open(
        await journey.person('admin'),
        `/o/${slug}/tools?q=Beside&sort=name`,
      )
      await page.getByRole('row', { name: /Beside one/ }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Beside one' }).waitFor()
      await press(page, 'Refresh tools')
      const answer = page.getByText('The server cannot be used')
      await answer.waitFor()
      await page.keyboard.press(']')
      await page.getByRole('heading', { level: 1, name: 'Beside two' }).waitFor()
      expect(await answer.count()).toBe(0)
      await page.keyboard.press('e')
      const dialog = page.getByRole('dialog', { name: 'Change “Beside two”' })
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed by its key')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Renamed by its key' }).waitFor()
      // A new name needs no confirmation, a new address does.
      expect(await answer.count()).toBe(0)
      await page.keyboard.press('e')
      const renamed = page.getByRole('dialog', { name: 'Change “Renamed by its key”' })
      await renamed.getByRole('textbox', { name: 'Address' }).fill(`${await closedOrigin()}/mcp`)
      await page.keyboard.press('Enter')
      await page.getByText('It cannot be reached: the connection was refused.').waitFor()
      await answer.waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'a viewer may only read',
    async () => {
      const { page } = await journey.open(await journey.person('viewer'), `/o/${journey.slug}/tools`)
      const button = page.getByRole('button', { name: 'New MCP server' }).first()
      await button.waitFor()
      expect(await button.isDisabled()).toBe(true)
    },
    PATIENCE_MS,
  )

  /** Something on every page: a credential, and a server with a tool that an agent uses and that has changed. */
  const fill = async () => {
    const { server, url } = journey
    const send = (path: string, body: object) =>
      asOperator<Record<string, unknown>>(journey, `POST ${path}`, body)
    const { credentialId } = await send('/credentials', {
      slug: 'crm-token',
      name: 'CRM token',
      kind: 'bearer',
      secret: server.seed.keys.organization,
      hosts: ['127.0.0.1', '*.crm.example'],
    })
    const { mcpServerId } = await send('/mcp-servers', {
      slug: 'orders',
      name: 'Orders',
      url: `${url}/api/v1/mcp`,
      credentialId,
    })
    await send(`/mcp-servers/${mcpServerId}/connect`, {})
    await expose(journey, 'Answers questions about orders, and changes them when the customer asks for it.')
    await send(`/mcp-servers/${mcpServerId}/connect`, {})
    await send('/agents', {
      name: 'Help desk',
      config: { tools: [{ type: 'mcp', server_id: mcpServerId }] },
    })
    return [
      'tools',
      'tools?create=1',
      'tools?tab=credentials',
      'tools?tab=credentials&create=1',
      `tools/servers/${mcpServerId}`,
    ]
  }
  let pages: Promise<string[]> | undefined

  test.each(WIDTHS)(
    'the pages have no visual faults at %d px, in light and dark',
    async (width) => {
      pages ??= fill()
      await expectGoodPages(journey, await pages, width)
    },
    4 * PATIENCE_MS,
  )
})

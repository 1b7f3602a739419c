import { propertyOf } from '@troupe/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WIDTHS } from '../browser.ts'
import { hold } from './held-calls.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'

/** A page that is slow to answer on a loaded machine is no failure of what it shows. */
const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('tools and knowledge', () => {
  let journey: Journey
  beforeAll(async () => {
    // The server is its own MCP server, on the loopback network.
    journey = await startJourney({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } })
    await expose('Answers questions about orders.')
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  /** Offers the seeded agent as a tool of the MCP server. */
  const expose = async (description: string) => {
    const { server } = journey
    const answer = await server.call(`PUT /api/v1/agents/${server.seed.agents.organization}`, {
      body: { name: 'Order desk', description, config: { expose: 'mcp' } },
    })
    expect(answer.status).toBe(200)
  }
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
  /** Replaces the text of the first editor as a person does: a script that fills it copies styles, which the policy reports. */
  const rewrite = async (page: Page, text: string) => {
    await page.locator('.cm-content').first().click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(text)
  }
  const choose = async (page: Page, thing: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${thing}`, exact: true }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  test(
    'a credential and an MCP server are made, its tools are seen, tried, and confirmed when they change',
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
      await field(page, 'Token').fill(secret)
      await press(page, 'Add credential')
      await page.getByRole('row', { name: /Own key.*127\.0\.0\.1/ }).waitFor()
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

      await page.getByRole('button', { name: 'Test call of order_desk' }).click()
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

      await expose('Sends every order to a stranger.')
      await press(page, 'Ask for its tools')
      await page.getByRole('heading', { name: 'Changed tools' }).waitFor()
      await page
        .getByText(/to a stranger/)
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Confirm', exact: true }).click()
      await page.getByText('1 tool is confirmed').waitFor()
      await page.getByRole('heading', { name: 'Changed tools' }).waitFor({ state: 'detached' })

      await page.goto(`${url}/o/${slug}/tools?tab=credentials`)
      await choose(page, 'Own key', 'Delete…')
      await page.getByText('These still use it. Remove it there first:').waitFor()
      await page.getByRole('link', { name: 'Troupe itself' }).waitFor()
      expect(new URL(serverPage).search).toBe('')
      expect(faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'whoever saves a server or a credential on top of a colleague’s change sees both values by their names',
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
      await page.getByText('“Shared server” is saved').waitFor()
      expect(await send(`PUT /mcp-servers/${mcpServerId}`, { name: 'Seen', version: 3 })).toMatchObject({
        credential: { credentialId: spare },
      })

      await page.goto(`${journey.url}/o/${slug}/tools?tab=credentials&q=Day`)
      await choose(page, 'Day key', 'Change…')
      await field(page, 'Name').fill('Mine')
      await field(page, 'Token').fill('sk-mine-5678')
      // Her page has heard of the change before she saves; a stored secret is asked about all the same.
      const heard = page.waitForResponse(/\/credentials\/[^/]+$/)
      await send(`PUT /credentials/${day}`, { name: 'Theirs', secret: 'sk-theirs-9012', version: 1 })
      await (await heard).finished()
      await press(page, 'Save')
      const second = page.getByRole('dialog', { name: /changed this credential/ })
      await second.waitFor()
      await second.getByText('Theirs becomes Mine').waitFor()
      await second.getByText('The one that is stored becomes The one that you typed').waitFor()
      expect(await second.textContent()).not.toContain('sk-mine')
      await press(page, 'Keep mine')
      await page.getByText('“Mine” is saved').waitFor()
      // The browser itself reports the two refused saves.
      expect(faults.filter((fault) => !fault.includes('409'))).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'the next server of the list shows nothing of the one before, and is renamed by its key',
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
      await press(page, 'Ask for its tools')
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
    },
    PATIENCE_MS,
  )

  test(
    'a document is dropped, read, and found by search; a failed one says why; the base is deleted',
    async () => {
      const { slug, server } = journey
      const { page, faults } = await journey.open(
        await journey.person('member'),
        `/o/${slug}/knowledge?create=1`,
      )
      await field(page, 'Name').fill('Handbook')
      await page.getByRole('button', { name: /Search by meaning/ }).click()
      await page.getByRole('option').nth(1).click()
      await field(page, 'Embedding model').fill('sandbox-embed-1')
      await press(page, 'Create')
      await page.getByRole('heading', { level: 1, name: 'Handbook' }).waitFor()

      const picker = page.waitForEvent('filechooser')
      await press(page, 'Choose files')
      await (await picker).setFiles([
        {
          name: 'refunds.md',
          mimeType: 'text/markdown',
          buffer: Buffer.from('# Refunds\n\nA refund takes 14 days after the parcel has come back.'),
        },
        { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
      ])
      await page.getByText('The text of this file cannot be read', { exact: false }).waitFor()
      await page.getByRole('row', { name: /refunds\.md.*Ready/ }).waitFor()

      await press(page, 'Write a text')
      await field(page, 'Name').fill('shipping.md')
      await field(page, 'Text').fill('Parcels are sent every evening.')
      const metadata = page.getByRole('dialog').getByRole('textbox', { name: /^Metadata/ })
      await metadata.fill('from=Rome, Italy')
      await page.reload()
      await press(page, 'Write a text')
      await expect.poll(() => field(page, 'Text').inputValue()).toBe('Parcels are sent every evening.')
      expect(await metadata.inputValue()).toBe('from=Rome, Italy')
      await press(page, 'Add document')
      await page.getByRole('row', { name: /shipping\.md.*Ready/ }).waitFor()

      const broken = {
        name: 'broken.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.7\nnothing'),
      }
      const again = page.waitForEvent('filechooser')
      await press(page, 'Choose files')
      await (await again).setFiles([broken])
      await page.getByRole('row', { name: /broken\.pdf.*Failed/ }).waitFor()
      const same = page.waitForEvent('filechooser')
      await choose(page, 'broken.pdf', 'Replace…')
      await (await same).setFiles([broken])
      await page.getByText('“broken.pdf” is being read again').waitFor()
      await page.getByRole('row', { name: /broken\.pdf/ }).waitFor()

      await page.getByRole('tab', { name: 'Search' }).click()
      await page.getByRole('searchbox', { name: 'Question' }).fill('How long do refunds take?')
      await page.keyboard.press('Enter')
      await page.getByText('A refund takes 14 days').first().waitFor()
      expect(await page.locator('mark').allInnerTexts()).toContain('refund')
      await page
        .getByText(/similarity 0\.\d\d/)
        .first()
        .waitFor()
      await page.reload()
      await page.locator('mark').first().waitFor()

      const { seed } = server
      const listed = await server.call('GET /api/v1/knowledge-bases')
      expect(JSON.stringify(listed.body)).toContain('Handbook')
      expect(seed.organizationId).toBeTruthy()
      await choose(page, 'Handbook', 'Delete…')
      await press(page, 'Delete knowledge base')
      await page.waitForURL(/\/knowledge$/)
      expect(faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'a skill is written, edited as its next version, compared, restored, and deleted',
    async () => {
      const { slug } = journey
      const { page, faults } = await journey.open(
        await journey.person('member'),
        `/o/${slug}/skills?create=1`,
      )
      await press(page, 'Save skill')
      await page.getByRole('heading', { level: 1, name: 'refunds' }).waitFor()
      await press(page, 'Edit')
      await rewrite(page, '---\nname: refunds\ndescription: Decides about refunds.\n---\n\nBe generous.\n')
      // Somebody else uploads the next version while this one is written.
      const files = {
        'SKILL.md': '---\nname: refunds\ndescription: Decides about refunds.\n---\n\nBe strict.\n',
      }
      expect((await journey.server.call('POST /api/v1/skills', { body: { files } })).status).toBe(201)
      await press(page, 'Save as next version')
      const conflict = page.getByRole('dialog', { name: /changed this skill/ })
      await conflict.getByText('Be strict.').waitFor()
      await conflict.getByRole('button', { name: 'Keep mine' }).click()
      await page.getByText('“refunds” is stored as version 3').waitFor()
      await page.getByText('Be generous.').waitFor()

      // A SKILL.md by itself keeps the other files.
      const both = { ...files, 'rules.md': 'Money within 30 days.' }
      expect((await journey.server.call('POST /api/v1/skills', { body: { files: both } })).status).toBe(201)
      await page.getByRole('link', { name: 'rules.md' }).waitFor()
      await page.locator('input[type=file]').setInputFiles({
        ...{ name: 'SKILL.md', mimeType: 'text/markdown' },
        buffer: Buffer.from('---\nname: refunds\ndescription: Decides about refunds.\n---\n\nBe kind.\n'),
      })
      await page.getByText('“refunds” is stored as version 5').waitFor()
      await page.getByText('Be kind.').waitFor()
      await page.getByRole('link', { name: 'rules.md' }).waitFor()

      await page.getByRole('tab', { name: 'Versions' }).click()
      await choose(page, 'version 3', 'Compare with the one before')
      await page.getByText('Be generous.').waitFor()
      await choose(page, 'version 1', 'Restore as next version')
      await page.getByText('Version 1 is the newest again, as version 6').waitFor()
      await choose(page, 'refunds', 'Delete…')
      await press(page, 'Delete skill')
      await page.waitForURL(/\/skills$/)
      expect(faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'what agents remember is listed and a user is forgotten; a viewer may only look',
    async () => {
      const { server, slug, url } = journey
      const { organizationId, agents } = server.seed
      const about = {
        organizationId,
        projectId: null,
        kind: 'agent',
        entityId: agents.organization,
        scope: 'agent',
        userId: 'ana@example.com',
      } as const
      const add = [{ text: 'Prefers tea to coffee.', fingerprint: 'prefers tea to coffee' }]
      await server.context.database.memories.change(about, { add, forget: [] }, 10)
      const { page, faults } = await journey.open(
        await journey.person('member'),
        `/o/${slug}/memories?agent=${agents.organization}`,
      )
      await page.getByRole('row', { name: /Prefers tea to coffee/ }).waitFor()
      await page.getByRole('button', { name: 'Actions for this memory' }).click()
      await page.getByRole('menuitem', { name: 'Forget ana@example.com…' }).click()
      await field(page, 'Type “ana@example.com” to confirm').fill('ana@example.com')
      await press(page, 'Forget this user')
      await page.getByText('Nothing is kept about “ana@example.com”').waitFor()
      const left = await server.call('GET /api/v1/memories')
      expect(propertyOf(left.body, 'total')).toBe(0)
      expect(faults).toEqual([])

      const looking = await journey.open(await journey.person('viewer'), `/o/${slug}/knowledge`)
      await looking.page.getByRole('button', { name: 'New knowledge base' }).first().waitFor()
      expect(
        await looking.page.getByRole('button', { name: 'New knowledge base' }).first().isDisabled(),
      ).toBe(true)
      await looking.page.goto(`${url}/o/${slug}/tools`)
      expect(await looking.page.getByRole('button', { name: 'New MCP server' }).first().isDisabled()).toBe(
        true,
      )
    },
    2 * PATIENCE_MS,
  )

  /** Something on every page: a credential, a server with a tool, a base with a document, a skill, a memory. */
  const fill = async () => {
    const { server, url } = journey
    const { organizationId, agents, keys, llm } = server.seed
    const send = async (path: string, body: object) => {
      const answer = await server.call(`POST /api/builder/v1/organizations/${organizationId}${path}`, {
        key: null,
        headers: { authorization: `Bearer ${server.adminToken}` },
        body,
      })
      if (answer.status > 299) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const idOf = (body: unknown, name: string) => String(propertyOf(body, name))
    const credential = await send('/credentials', {
      slug: 'crm-token',
      name: 'CRM token',
      kind: 'bearer',
      secret: keys.organization,
      hosts: ['127.0.0.1', '*.crm.example'],
    })
    const made = await send('/mcp-servers', {
      slug: 'orders',
      name: 'Orders',
      url: `${url}/api/v1/mcp`,
      credentialId: idOf(credential, 'credentialId'),
    })
    const serverId = idOf(made, 'mcpServerId')
    await send(`/mcp-servers/${serverId}/connect`, {})
    await expose('Answers questions about orders, and changes them when the customer asks for it.')
    await send(`/mcp-servers/${serverId}/connect`, {})
    const base = await send('/knowledge-bases', {
      name: 'Handbook',
      embedding: { llm_config_id: llm.organization, model_id: 'sandbox-embed-1' },
    })
    const baseId = idOf(base, 'knowledgeBaseId')
    const text =
      '# Refunds\n\nA refund takes 14 days after the parcel has come back.\n\n# Parcels\n\nParcels go out every evening.'
    await send(`/knowledge-bases/${baseId}/documents`, { name: 'refunds.md', text })
    await send(`/knowledge-bases/${baseId}/documents`, { name: 'blank.md', text: ' ' })
    const skill = await send('/skills', {
      files: {
        'SKILL.md':
          '---\nname: returns\ndescription: Decides about returns. Use it when a parcel comes back.\n---\n\n# Returns\n\n1. Look the order up.\n2. Read rules/eu.md before you promise anything.\n',
        'rules/eu.md': 'Fourteen days.\n',
      },
    })
    const skillId = idOf(skill, 'skillId')
    await send('/skills', {
      files: {
        'SKILL.md':
          '---\nname: returns\ndescription: Decides about returns. Use it when a parcel comes back.\n---\n\n# Returns\n\n1. Look the order up.\n2. Ask whether the parcel was opened.\n3. Read rules/eu.md before you promise anything.\n',
        'rules/eu.md': 'Fourteen days.\n',
      },
    })
    await send('/agents', {
      name: 'Help desk',
      config: {
        knowledge: { base_ids: [baseId] },
        skills: [{ skill_id: skillId }],
        tools: [{ type: 'mcp', server_id: serverId }],
      },
    })
    const about = {
      organizationId,
      projectId: null,
      kind: 'agent',
      entityId: agents.organization,
      scope: 'agent',
      userId: 'ben@example.com',
    } as const
    const texts = ['Prefers to be called in the afternoon.', 'Has two shops, in Lyon and in Turin.']
    const add = texts.map((one) => ({ text: one, fingerprint: one.toLowerCase() }))
    await server.context.database.memories.change(about, { add, forget: [] }, 10)
    return [
      'knowledge',
      'knowledge?create=1',
      `knowledge/${baseId}`,
      `knowledge/${baseId}?tab=search&ask=How+long+do+refunds+take`,
      `knowledge/${baseId}?tab=settings`,
      'skills',
      `skills/${skillId}`,
      `skills/${skillId}?tab=versions&compare=1..2`,
      'tools',
      'tools?create=1',
      'tools?tab=credentials',
      'tools?tab=credentials&create=1',
      `tools/servers/${serverId}`,
      'memories',
    ]
  }
  let pages: Promise<string[]> | undefined

  test.each(WIDTHS)(
    'every page is good at %d px, in light and dark',
    async (width) => {
      const { url, slug } = journey
      pages ??= fill()
      const window = await journey.open(await journey.person('owner'), `/o/${slug}`, { width })
      const { page } = window
      for (const path of await pages) {
        await page.goto(`${url}/o/${slug}/${path}`)
        await page.getByRole(path.includes('create') ? 'dialog' : 'main').waitFor()
        await page.waitForLoadState('networkidle')
        const name = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'one').replaceAll(/\W+/g, '-')
        await expectGood(window, `${name}-${width}`)
      }
    },
    4 * PATIENCE_MS,
  )
})

import { propertyOf } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WIDTHS } from '../browser.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { chooseAction, expectGoodPages, field, press, rewrite } from './resource-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('knowledge, skills and memories', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test(
    'a document is dropped, ingested, and found by search; a failed one has the reason; the base is deleted',
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
        { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.from('') },
      ])
      await page.getByText('The text of this file cannot be read', { exact: false }).waitFor()
      await page.getByText('The file is empty.').waitFor()
      expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
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
      await page.getByRole('row', { name: /shipping\.md.*Ready/ }).click()
      const sheet = page.getByRole('dialog', { name: 'shipping.md' })
      await sheet.getByText('from=Rome, Italy').waitFor()
      await sheet.getByRole('list', { name: 'Passages' }).getByText('every evening').waitFor()
      await page.reload()
      await sheet.getByRole('button', { name: 'Edit…' }).click()
      const edited = page.getByRole('dialog', { name: 'Edit “shipping.md”' })
      await expect.poll(() => field(page, 'Text').inputValue()).toBe('Parcels are sent every evening.')
      await field(page, 'Text').fill('Parcels are sent every morning.')
      await edited.getByRole('button', { name: 'Save' }).click()
      await page
        .getByText('“shipping.md” is being read again; searches find its earlier passages until then')
        .waitFor()
      await sheet.getByRole('list', { name: 'Passages' }).getByText('every morning').waitFor()
      await sheet.getByText('from=Rome, Italy').waitFor()
      await page.keyboard.press('Escape')
      await page.waitForURL((address) => !address.search.includes('document='))
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
      await chooseAction(page, 'broken.pdf', 'Replace…')
      await (await same).setFiles([broken])
      await page
        .getByText('“broken.pdf” is being read again; searches find nothing of it until then')
        .waitFor()
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
      await chooseAction(page, 'Handbook', 'Delete…')
      await press(page, 'Delete knowledge base')
      await page.waitForURL(/\/knowledge$/)
      expect(faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'passages of a re-read document are shown from the first one, however many pages were loaded',
    async () => {
      const { slug, server } = journey
      const rules = (days: number) =>
        Array.from({ length: 140 }, (_, at) => `Rule ${at}: ${`refunds take ${days} days. `.repeat(7)}`).join(
          '\n\n',
        )
      const PATH = '/knowledge-bases'
      const base = await asOperator<unknown>(journey, `POST ${PATH}`, {
        name: 'Rules',
        chunk_tokens: 50,
        overlap_tokens: 0,
      })
      const documents = `${PATH}/${propertyOf(base, 'knowledgeBaseId')}/documents`
      const added = await asOperator<unknown>(journey, `POST ${documents}`, {
        name: 'rules.md',
        text: rules(14),
      })
      const id = String(propertyOf(added, 'documentId'))
      const stored = async () => (await server.call(`GET /api/v1${documents}/${id}`)).body
      const ready = () => expect.poll(stored, { timeout: PATIENCE_MS }).toMatchObject({ status: 'ready' })
      const edit = async (days: number) => {
        const contentHash = propertyOf(await stored(), 'contentHash')
        await asOperator(journey, `PUT ${documents}/${id}`, { text: rules(days), contentHash })
        await ready()
      }
      await ready()
      const { page } = await journey.open(await journey.person('member'), `/o/${slug}/knowledge`)
      const sheet = page.getByRole('dialog', { name: 'rules.md' })
      const passages = sheet.getByRole('list', { name: 'Passages' }).getByRole('listitem')
      const more = sheet.getByRole('button', { name: 'Show more passages' })
      const openSixPages = async () => {
        await page.goto(
          `${journey.url}/o/${slug}${documents.replace(PATH, '/knowledge').replace('/documents', '')}?document=${id}`,
        )
        for (const count of [20, 40, 60, 80, 100, 120]) {
          await expect.poll(() => passages.count(), { timeout: PATIENCE_MS }).toBe(count)
          if (count < 120) await more.click()
        }
      }
      const isAnew = async (days: number) => {
        await passages.first().getByText(`refunds take ${days} days`).waitFor()
        await expect.poll(() => passages.count()).toBe(20)
        expect(await sheet.getByRole('button', { name: 'Retry' }).count()).toBe(0)
      }

      // Another window has edited it: the next page is refused.
      await openSixPages()
      await edit(30)
      await more.click()
      await isAnew(30)

      // The sheet sees that it is being read.
      const address = (url: URL) => url.pathname.endsWith(`/documents/${id}`)
      let isReading = true
      await page.route(address, async (route) => {
        if (!isReading) return route.fallback()
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { ...(await answer.json()), status: 'queued' } })
      })
      await openSixPages()
      await edit(60)
      isReading = false
      await isAnew(60)
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
      // Another user uploads the next version while this one is being written.
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
      // The formatted text leaves out the front matter.
      expect(await page.getByText('name: refunds').count()).toBe(0)
      await page.getByRole('radio', { name: 'Text' }).click()
      await page.getByText('name: refunds').waitFor()
      await page.getByRole('radio', { name: 'Preview' }).click()

      // A plain SKILL.md keeps the other files.
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
      await page.getByRole('list', { name: 'Versions' }).getByRole('button', { name: /^v3/ }).click()
      await page.getByText('Be generous.').waitFor()
      await chooseAction(page, 'v1', 'Restore…')
      await page
        .getByRole('alertdialog', { name: 'Restore v1?' })
        .getByRole('button', { name: 'Restore' })
        .click()
      await page.getByText('Version 1 is the newest again, as version 6').waitFor()

      // An existing name of a new skill needs a confirmation, before anything is stored.
      await page.goto(new URL(`/o/${slug}/skills?create=1`, page.url()).href)
      await rewrite(page, '---\nname: refunds\ndescription: Decides about refunds.\n---\n\nBe new.\n')
      await press(page, 'Save skill')
      const existing = page.getByRole('dialog', { name: 'A skill named “refunds” exists' })
      await existing.getByText('Its newest version is 6', { exact: false }).waitFor()
      // Another user stores the next version while the dialog is open.
      expect((await journey.server.call('POST /api/v1/skills', { body: { files: both } })).status).toBe(201)
      await existing.getByText('Its other files stay: rules.md', { exact: false }).waitFor()
      await existing.getByRole('button', { name: 'Store as version 8' }).click()
      await page.getByText('“refunds” is stored as version 8').waitFor()
      await page.getByText('Be new.').waitFor()
      await page.getByRole('link', { name: 'rules.md' }).waitFor()
      await page.goto(new URL(`/o/${slug}/skills`, page.url()).href)
      await page.locator('input[type=file]').setInputFiles({
        ...{ name: 'SKILL.md', mimeType: 'text/markdown' },
        buffer: Buffer.from('---\nname: refunds\ndescription: Decides about refunds.\n---\n\nBe hasty.\n'),
      })
      await existing.getByRole('link', { name: 'Open “refunds”' }).click()
      await page.getByText('Be new.').waitFor()
      await chooseAction(page, 'refunds', 'Delete…')
      await press(page, 'Delete skill')
      await page.waitForURL(/\/skills$/)
      expect(faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'memories are listed and a user is forgotten; a viewer may only read',
    async () => {
      const { server, slug } = journey
      const { organizationId, agents } = server.seed
      const about = {
        organizationId,
        projectId: null,
        kind: 'agent',
        entityId: agents.organization,
        scope: 'agent',
        userId: 'ana@example.com',
      } as const
      const text = `Prefers tea to coffee. ${'Waits for a call. '.repeat(20)}`
      const add = [{ text, fingerprint: 'prefers tea to coffee' }]
      await server.context.database.memories.change(about, { add, forget: [] }, 10)
      const { page, faults } = await journey.open(
        await journey.person('member'),
        `/o/${slug}/memories?agent=${agents.organization}`,
      )
      await page.getByRole('row', { name: /Prefers tea to coffee/ }).waitFor()
      await page.getByRole('button', { name: 'Show all of it' }).click()
      await page.getByRole('button', { name: 'Show less' }).click()
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
    },
    2 * PATIENCE_MS,
  )

  /** Something on every page: a base with a document, a skill, a memory. */
  const fill = async () => {
    const { server } = journey
    const { organizationId, agents, llm } = server.seed
    const send = (path: string, body: object) => asOperator<unknown>(journey, `POST ${path}`, body)
    const idOf = (body: unknown, name: string) => String(propertyOf(body, name))
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
      'memories',
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

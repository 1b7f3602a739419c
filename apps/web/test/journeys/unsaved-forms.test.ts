import type { SeededPerson } from '@troupe/test-kit/seed-person'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { late } from './held-calls.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { rewrite } from './resource-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 120_000

interface Case {
  subject: string
  /** Creates the resource; returns the path of its form. */
  make(): Promise<string>
  /** Opens the form on its page. */
  open?(page: Page): Promise<void>
  field(page: Page): Locator
  save(page: Page): Promise<void>
  /** The value after the save. */
  stored(): Promise<unknown>
}

describe.skipIf(CHROMIUM === null)('input that is not saved', () => {
  let journey: Journey
  let admin: SeededPerson
  beforeAll(async () => {
    journey = await startJourney()
    admin = await journey.person('admin', 'Ada')
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const made = async (target: string, body: object, idKey: string) =>
    String((await asOperator<Record<string, unknown>>(journey, target, body))[idKey])
  const read = (path: string) => asOperator<Record<string, unknown>>(journey, `GET ${path}`)
  const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })
  const press = (page: Page, button: string | RegExp) =>
    page.getByRole('button', { name: button }).first().click()
  const paths: Record<string, string> = {}

  const CASES: Case[] = [
    {
      subject: 'the settings of a knowledge base',
      async make() {
        const id = await made(
          'POST /knowledge-bases',
          { name: 'Handbook', embedding: null },
          'knowledgeBaseId',
        )
        paths.base = `/knowledge-bases/${id}`
        return `knowledge/${id}?tab=settings`
      },
      field: name,
      save: (page) => press(page, 'Save'),
      stored: async () => (await read(paths.base ?? '')).name,
    },
    {
      subject: 'an LLM configuration',
      async make() {
        const body = {
          providerId: 'sandbox',
          slug: 'forms',
          name: 'Sandbox',
          models: [{ modelId: 'sandbox-1' }],
        }
        const id = await made('POST /llm-configurations', body, 'llmConfigId')
        paths.model = `/llm-configurations/${id}`
        return `settings/models/${id}`
      },
      field: name,
      save: (page) => press(page, 'Save'),
      stored: async () => (await read(paths.model ?? '')).name,
    },
    {
      subject: 'a voice',
      async make() {
        const agentId = journey.server.seed.agents.organization
        const local = { sttProvider: 'local-pocketsphinx', ttsProvider: 'local-flite' }
        const id = await made(
          'POST /voice-configurations',
          { slug: 'desk', agentId, ...local },
          'voiceConfigId',
        )
        paths.voice = `/voice-configurations/${id}`
        return `voice/${id}`
      },
      field: (page) => page.getByRole('textbox', { name: 'Slug' }),
      save: (page) => page.keyboard.press('Control+s'),
      stored: async () => (await read(paths.voice ?? '')).slug,
    },
    {
      subject: 'an MCP server',
      async make() {
        const body = { slug: 'tickets', name: 'Tickets', url: 'https://tickets.example/mcp' }
        const id = await made('POST /mcp-servers', body, 'mcpServerId')
        paths.server = `/mcp-servers/${id}`
        return `tools/servers/${id}`
      },
      async open(page) {
        await press(page, 'Change…')
        await page.getByRole('dialog', { name: /^Change/ }).waitFor()
      },
      field: name,
      save: (page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click(),
      stored: async () => (await read(paths.server ?? '')).name,
    },
  ]

  test.for(
    CASES,
  )('of $subject is on another device while it is typed, even after the loss of the first one, and ends with the save', {
    timeout: PATIENCE_MS,
  }, async ({ make, open, field, save, stored }) => {
    const path = `/o/${journey.slug}/${await make()}`
    const opened = async () => {
      const window = await journey.open(admin, path)
      await open?.(window.page)
      return window
    }
    const holds = (page: Page, value: string) =>
      expect.poll(() => field(page).inputValue(), { timeout: 30_000 }).toBe(value)
    const [desk, phone] = [await opened(), await opened()]
    const before = await field(desk.page).inputValue()
    const kept = desk.page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().includes('/unsaved-changes/'),
    )
    await field(desk.page).fill('typed-at-the-desk')
    expect((await kept).status()).toBe(200)
    await holds(phone.page, 'typed-at-the-desk')
    await desk.context.close()
    const next = await opened()
    await holds(next.page, 'typed-at-the-desk')
    await field(next.page).fill('typed-on-the-next')
    await holds(phone.page, 'typed-on-the-next')
    expect(await stored()).toBe(before)
    await save(next.page)
    await expect.poll(stored, { timeout: 20_000 }).toBe('typed-on-the-next')
    // The phone has nothing left to save: a later change of somebody else is shown.
    await holds(phone.page, 'typed-on-the-next')
    const again = await opened()
    await holds(again.page, 'typed-on-the-next')
    expect(await again.page.getByText('From an earlier visit').count()).toBe(0)
    expect([...desk.faults, ...next.faults, ...phone.faults]).toEqual([])
    for (const { context } of [next, phone, again]) await context.close()
  })

  test(
    'of a file of a skill is on another device while it is typed, beside that of another file, and ends with the save',
    async () => {
      const heading = '---\nname: returns\ndescription: Handles returns.\n---\n'
      const files = { 'SKILL.md': `${heading}Be strict.\n`, 'rules.md': 'Within 30 days.' }
      const id = await made('POST /skills', { files }, 'skillId')
      const path = `/o/${journey.slug}/skills/${id}`
      const [desk, phone] = [await journey.open(admin, path), await journey.open(admin, path)]
      const editor = (page: Page) => page.locator('.cm-content[contenteditable=true]')
      const holds = (page: Page, text: string) => editor(page).getByText(text).waitFor({ timeout: 30_000 })
      await phone.page.getByText('Be strict.').waitFor()
      await press(desk.page, 'Edit')
      await rewrite(desk.page, `${heading}Be kind.\n`)
      await holds(phone.page, 'Be kind.')
      await phone.page.getByRole('link', { name: 'rules.md' }).click()
      await phone.page.getByText('Within 30 days.').waitFor()
      await press(phone.page, 'Edit')
      await rewrite(phone.page, 'Within 60 days.')
      await desk.page.getByRole('link', { name: 'rules.md' }).click()
      await holds(desk.page, 'Within 60 days.')
      await desk.page.getByRole('link', { name: 'SKILL.md' }).click()
      await holds(desk.page, 'Be kind.')
      await press(desk.page, 'Save as next version')
      await desk.page.getByText('“returns” is stored as version 2').waitFor()
      // The other file is still edited, on both devices.
      await phone.page.getByRole('link', { name: 'SKILL.md' }).click()
      await phone.page.getByText('Be kind.').waitFor()
      await expect.poll(() => editor(phone.page).count(), { timeout: 20_000 }).toBe(0)
      expect([...desk.faults, ...phone.faults]).toEqual([])
      for (const { context } of [desk, phone]) await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'of a file of a version that a device has not read yet does not undo the other files of that version there',
    async () => {
      const skill = '---\nname: refunds\ndescription: Handles refunds.\n---\n'
      const files = { 'SKILL.md': `${skill}Be strict.\n`, 'rules.md': 'Within 30 days.' }
      const id = await made('POST /skills', { files }, 'skillId')
      const path = `/o/${journey.slug}/skills/${id}`
      const phone = await journey.open(admin, `/o/${journey.slug}`)
      const reads = await late(phone.page, new RegExp(`/organizations/[^/]+/skills/${id}$`))
      await phone.page.goto(journey.url + path)
      await phone.page.getByText('Be strict.').waitFor()
      const next = { ...files, 'rules.md': 'Within 60 days.' }
      await made('POST /skills', { files: next, skillId: id, baseVersion: 1, projectId: null }, 'skillId')
      const desk = await journey.open(admin, path)
      await desk.page.getByText('Be strict.').waitFor()
      await press(desk.page, 'Edit')
      await rewrite(desk.page, `${skill}Be kind.\n`)
      const editor = phone.page.locator('.cm-content[contenteditable=true]')
      await editor.getByText('Be kind.').waitFor({ timeout: 30_000 })
      reads.release()
      await press(phone.page, 'Save as next version')
      await phone.page.getByRole('dialog', { name: /changed this skill/ }).waitFor()
      expect((await read(`/skills/${id}`)).version).toBe(2)
      await press(phone.page, 'Keep mine')
      await phone.page.getByText('“refunds” is stored as version 3').waitFor()
      expect(await read(`/skills/${id}/file?path=rules.md&version=3`)).toMatchObject({
        text: 'Within 60 days.',
      })
      for (const { context } of [desk, phone]) await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'of an LLM configuration of a version that a device has not read yet does not remove the headers of that version there',
    async () => {
      const gateway = {
        ...{ slug: 'gateway', name: 'Gateway', projectId: null, status: 'connected', default: false },
        ...{
          baseUrl: 'https://models.example/v1',
          models: [{ modelId: 'small-1' }],
          allowUnlistedModels: false,
        },
      }
      const id = await made(
        'POST /llm-configurations',
        {
          ...gateway,
          settings: {},
          providerId: 'openai-compatible',
          credentials: { apiKey: 'of-the-gateway' },
        },
        'llmConfigId',
      )
      const stored = `/llm-configurations/${id}`
      const path = `/o/${journey.slug}/settings/models/${id}`
      const phone = await journey.open(admin, `/o/${journey.slug}`)
      const reads = await late(phone.page, new RegExp(`/organizations/[^/]+${stored}$`))
      await phone.page.goto(journey.url + path)
      await expect.poll(() => name(phone.page).inputValue(), { timeout: 30_000 }).toBe('Gateway')
      const settings = { headers: { 'x-team': 'desk' } }
      const { version } = await read(stored)
      await asOperator(journey, `PUT ${stored}`, { ...gateway, settings, credentials: {}, version })
      const desk = await journey.open(admin, path)
      await name(desk.page).fill('Gateway of the desk')
      await expect.poll(() => name(phone.page).inputValue(), { timeout: 30_000 }).toBe('Gateway of the desk')
      reads.release()
      await press(phone.page, 'Save')
      await phone.page.getByRole('dialog', { name: /changed this LLM configuration/ }).waitFor()
      await press(phone.page, 'Merge both')
      await phone.page.getByText('“Gateway of the desk” was saved').waitFor()
      expect(await read(stored)).toMatchObject({
        name: 'Gateway of the desk',
        settings: { headers: { 'x-team': null } },
      })
      for (const { context } of [desk, phone]) await context.close()
    },
    PATIENCE_MS,
  )
})

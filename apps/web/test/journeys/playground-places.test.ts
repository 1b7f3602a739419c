import { propertyOf } from '@troupe/contract'
import { seedTeam } from '@troupe/test-kit/seed-team'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOUBLE_CLICK_MS } from '../../src/core/playground/double-click.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { answered, ask, choose, log, traces } from './playground-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 60_000

describe.skipIf(CHROMIUM === null)('the places of the playground', () => {
  let journey: Journey
  let agentPath = ''
  beforeAll(async () => {
    journey = await startJourney()
    const agentId = journey.server.seed.agents.organization
    agentPath = `/o/${journey.slug}/agents/${agentId}`
    // Three versions.
    for (const description of ['Answers', 'Answers well']) {
      const { status } = await journey.server.call(`PUT /api/v1/agents/${agentId}`, { body: { description } })
      expect(status).toBe(200)
    }
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const open = async (search: string) => journey.open(await journey.person('member'), `${agentPath}${search}`)
  const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
  const actionsOf = (page: Page, version: string) =>
    page
      .getByRole('list', { name: 'Versions' })
      .getByRole('button', { name: `Actions for ${version}`, exact: true })

  test(
    'beside the settings, the edit is answered immediately, and the tab continues the same conversation',
    async () => {
      const { page, faults } = await open('')
      await page.getByRole('radio', { name: 'Playground' }).click()
      await ask(page, 'As it is')
      await answered(page, 1)
      await page.getByRole('textbox', { name: 'Name' }).fill('Edited beside it')
      await page.getByRole('button', { name: 'Runs Draft' }).waitFor()
      const sent = page.waitForRequest(/\/playground\?/)
      await ask(page, 'As I edit it')
      expect((await sent).postDataJSON()).toMatchObject({ draft: { name: 'Edited beside it' } })
      await answered(page, 2)
      await page.getByRole('tab', { name: 'Playground' }).click()
      await answered(page, 2)
      await log(page).getByText('As it is').first().waitFor()
      await page.getByRole('tab', { name: 'Editor' }).click()
      await answered(page, 2)
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Edited beside it')
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an edit that is undone and typed again keeps both conversations of the comparison',
    async () => {
      const { page } = await open('?aside=playground')
      const name = page.getByRole('textbox', { name: 'Name' })
      const saved = await name.inputValue()
      await name.fill('Compared')
      await choose(page, page.getByRole('button', { name: 'Compare' }), /^Live/)
      await ask(page, 'Both of you')
      await answered(page, 2)
      await name.fill(saved)
      await page.getByRole('button', { name: 'Review changes' }).waitFor({ state: 'detached' })
      expect(await traces(page).count()).toBe(2)
      await name.fill('Compared again')
      await page.getByRole('button', { name: 'Review changes' }).waitFor()
      expect(await traces(page).count()).toBe(2)
      await ask(page, 'And now?')
      await answered(page, 4)
    },
    PATIENCE_MS,
  )

  test(
    'a link to other versions starts other conversations, and Back finds the newest of its own',
    async () => {
      const { page, faults } = await open('?tab=playground')
      await ask(page, 'To what is live')
      await answered(page, 1)
      await page.getByRole('tab', { name: 'Versions' }).click()
      await choose(page, actionsOf(page, 'v1'), 'Use in playground')
      await page.getByRole('button', { name: 'Runs v1' }).waitFor()
      await page.getByRole('heading', { name: /^Talk to/ }).waitFor()
      expect(param(page, 'run')).toBeNull()
      await ask(page, 'To the first version')
      await answered(page, 1)
      const run = param(page, 'run')
      await page.getByRole('tab', { name: 'Versions' }).click()
      await page.goBack()
      await answered(page, 1)
      await log(page).getByText('To the first version').first().waitFor()
      expect(await log(page).getByText('To what is live').count()).toBe(0)
      expect(param(page, 'run')).toBe(run)
      // Two steps back, the URL names the conversation with the live version, which is restored.
      await page.goBack()
      await page.goBack()
      await page.waitForURL((url) => url.searchParams.get('version') === null && url.searchParams.has('run'))
      await log(page).getByText('To what is live').first().waitFor()
      await answered(page, 1)
      expect(await log(page).getByText('To the first version').count()).toBe(0)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a step back to another page leaves the conversation of that page alone',
    async () => {
      const { server } = journey
      const { organizationId } = server.seed
      const { teamId } = await seedTeam(server.context.database, { organizationId, projectId: null })
      const person = await journey.person('member')
      const { page } = await journey.open(person, `/o/${journey.slug}/teams/${teamId}?aside=playground`)
      await ask(page, 'To the team')
      await answered(page, 1)
      const run = param(page, 'run')
      await page.getByRole('link', { name: 'Billing' }).first().click()
      await page.waitForURL(/\/agents\//)
      await page.getByRole('radio', { name: 'Playground' }).click()
      await ask(page, 'To the member')
      await answered(page, 1)
      await page.goBack()
      await page.waitForURL((url) => url.pathname.includes('/teams/'))
      await log(page).getByText('To the team').first().waitFor()
      await answered(page, 1)
      expect(param(page, 'run')).toBe(run)
    },
    PATIENCE_MS,
  )

  test(
    'a comparison with a discarded draft shows the live version with its own conversation only',
    async () => {
      const { page } = await open('?aside=playground')
      await page.getByRole('textbox', { name: 'Name' }).fill('Compared and discarded')
      await choose(page, page.getByRole('button', { name: 'Compare' }), /^Live/)
      await ask(page, 'Both of you [[reply: said]]')
      await answered(page, 2)
      const [, ofLive] = (param(page, 'run') ?? '').split(',')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^Discard/ })
        .click()
      await page.getByRole('button', { name: 'Review changes' }).waitFor({ state: 'detached' })
      await page.reload()
      await answered(page, 1)
      await expect.poll(() => param(page, 'run')).toBe(ofLive)
      expect(await traces(page).count()).toBe(1)
      // The next edit continues the one remaining conversation.
      await page.getByRole('textbox', { name: 'Name' }).fill('Edited once more')
      await page.getByRole('button', { name: 'Runs Draft' }).waitFor()
      expect(await traces(page).count()).toBe(1)
      expect(param(page, 'beside')).toBeNull()
      expect(param(page, 'run')).toBe(ofLive)
    },
    PATIENCE_MS,
  )

  test(
    'a comparison with an edit is unchanged after a visit to another page',
    async () => {
      const { page } = await open('?aside=playground')
      await page.getByRole('textbox', { name: 'Name' }).fill('Compared and left')
      await choose(page, page.getByRole('button', { name: 'Compare' }), /^Live/)
      await ask(page, 'Both of you')
      await answered(page, 2)
      const run = param(page, 'run')
      for (const visit of [1, 2]) {
        await page.getByRole('link', { name: 'Agents', exact: true }).first().click()
        await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
        await page.goBack()
        await answered(page, 2)
        await page.getByRole('button', { name: 'Runs Draft' }).waitFor()
        expect(param(page, 'run'), `visit ${visit}`).toBe(run)
      }
      await ask(page, 'Once more')
      await answered(page, 4)
    },
    PATIENCE_MS,
  )

  test(
    'Back to a comparison with a discarded draft shows the conversation with the live version',
    async () => {
      const { page } = await open('?tab=playground')
      await page.getByRole('tab', { name: 'Editor' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Compared before the discard')
      await page.getByRole('tab', { name: 'Playground' }).click()
      await choose(page, page.getByRole('button', { name: 'Compare' }), /^Live/)
      await ask(page, 'Both of you')
      await answered(page, 2)
      const [, ofLive] = (param(page, 'run') ?? '').split(',')
      await page.getByRole('tab', { name: 'Versions' }).click()
      await choose(page, actionsOf(page, 'v1'), 'Use in playground')
      await page.getByRole('button', { name: 'Runs v1' }).waitFor()
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^Discard/ })
        .click()
      await page.getByRole('button', { name: 'Review changes' }).waitFor({ state: 'detached' })
      await page.goBack()
      await page.goBack()
      await answered(page, 1)
      await expect.poll(() => param(page, 'run')).toBe(ofLive)
      expect(await traces(page).count()).toBe(1)
    },
    PATIENCE_MS,
  )

  test(
    'a version that is chosen after a save on another tab is the one that runs',
    async () => {
      const { page } = await open('?tab=playground')
      await page.getByRole('tab', { name: 'Editor' }).click()
      await page.getByRole('textbox', { name: 'Description' }).fill('Saved before the link')
      await page.getByRole('tab', { name: 'Playground' }).click()
      await page.getByRole('button', { name: 'Runs Draft' }).waitFor()
      await ask(page, 'The draft')
      await answered(page, 1)
      await page.getByRole('tab', { name: 'Editor' }).click()
      await page.getByRole('button', { name: /^Save/ }).first().click()
      await page.getByRole('button', { name: /^Save/ }).first().waitFor({ state: 'detached' })
      await page.getByRole('tab', { name: 'Versions' }).click()
      await choose(page, actionsOf(page, 'v1'), 'Use in playground')
      await page.getByRole('button', { name: 'Runs v1' }).waitFor()
      expect(param(page, 'version')).toMatch(/^[0-9a-f-]{36}$/)
    },
    PATIENCE_MS,
  )

  test(
    'a double click on Send sends once, and stops nothing',
    async () => {
      const { page } = await open('?tab=playground')
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Once')
      await page.getByRole('button', { name: 'Send' }).dblclick({ delay: 40 })
      await answered(page, 1)
      expect(await log(page).getByText('Once', { exact: true }).count()).toBe(1)
      expect(param(page, 'run')?.split(',')).toHaveLength(1)
      expect(
        await log(page)
          .getByText(/Stopped|Canceled/)
          .count(),
      ).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'a run that is stopped before it has started is stopped, for every viewer',
    async () => {
      const { page } = await open('?tab=playground')
      let allow = () => {}
      const held = new Promise<void>((resolve) => {
        allow = resolve
      })
      await page.route(/\/playground\?/, async (route) => {
        await held
        await route.continue()
      })
      await ask(page, 'Too late [[pace: 500]] [[reply: one two three four five six seven eight nine ten]]')
      // Sooner, it would be the second press of a double click on Send.
      await page.waitForTimeout(DOUBLE_CLICK_MS + 100)
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByRole('button', { name: 'New conversation' }).click()
      const cancelled = page.waitForResponse((response) => response.request().method() === 'DELETE')
      allow()
      expect((await cancelled).ok()).toBe(true)
      await page.getByRole('heading', { name: /^Talk to/ }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'a conversation keeps its user, and the keyboard stays where one writes',
    async () => {
      const { page } = await open('?tab=playground')
      const isWriting = () => page.evaluate('document.activeElement.localName')
      const caller = page.getByRole('button', { name: /^Caller:/ })
      await caller.click()
      const user = page.getByRole('textbox', { name: 'User id' })
      await user.fill('ana-7')
      await page.keyboard.press('Escape')
      await ask(page, 'Hello')
      await answered(page, 1)
      await caller.click()
      expect(await user.getAttribute('readonly')).not.toBeNull()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'New conversation' }).click()
      await expect.poll(isWriting).toBe('textarea')
      await caller.click()
      expect(await user.getAttribute('readonly')).toBeNull()
      await page.keyboard.press('Escape')
      await ask(page, 'Once more')
      await answered(page, 1)
      await page.getByRole('button', { name: 'Edit and resend' }).click()
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await expect
        .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
        .toBe('Edit and resend')
    },
    PATIENCE_MS,
  )

  test(
    'a long conversation scrolls between its toolbar and its message, and the page does not',
    async () => {
      const { page } = await open('?tab=playground')
      await ask(page, `Much [[reply: ${'many words in a row '.repeat(400)}]]`)
      await answered(page, 1)
      await log(page)
        .getByText(/first word/)
        .waitFor()
      expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
      const toolbar = page.getByRole('region', { name: 'Playground' })
      const message = page.getByRole('textbox', { name: 'Message', exact: true })
      const places = async () => [await toolbar.boundingBox(), await message.boundingBox()]
      const before = await places()
      await log(page).getByText(/^Much/).first().scrollIntoViewIfNeeded()
      expect(await places()).toEqual(before)
      await message.click({ trial: true })
      await toolbar.getByRole('button', { name: 'New conversation' }).click({ trial: true })
    },
    PATIENCE_MS,
  )

  test(
    'a first message about a tool begins in the composer, for the person to end',
    async () => {
      const tool = { type: 'code', name: 'look_up_order', description: 'Looks up an order' }
      const { body } = await journey.server.call('POST /api/v1/agents', {
        body: {
          name: 'Desk',
          config: {
            tools: [{ ...tool, source: 'export default () => ({})', input_schema: { type: 'object' } }],
          },
        },
      })
      const { page } = await journey.open(
        await journey.person('member'),
        `/o/${journey.slug}/agents/${propertyOf(body, 'agentId')}?tab=playground`,
      )
      await page.getByRole('button', { name: 'Look up order…' }).click()
      const message = page.getByRole('textbox', { name: 'Message', exact: true })
      await expect.poll(() => message.inputValue()).toBe('Look up order ')
      await page.keyboard.type('4711')
      expect(await message.inputValue()).toBe('Look up order 4711')
    },
    PATIENCE_MS,
  )
})

import { seedTeam } from '@troupe/test-kit/seed-team'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEPT_VALUES, WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { answered, ask, choose, log, traces } from './playground-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 60_000

/** Milliseconds in a text such as "first word 87 ms" or "1.2 s". */
function milliseconds(text: string): number {
  const [, number, unit] = /([\d.]+) (ms|s)$/.exec(text) ?? []
  return Number(number) * (unit === 's' ? 1_000 : 1)
}

describe.skipIf(CHROMIUM === null)('the playground', () => {
  let journey: Journey
  let agentId = ''
  let agentPath = ''
  beforeAll(async () => {
    journey = await startJourney()
    agentId = journey.server.seed.agents.organization
    agentPath = `/o/${journey.slug}/agents/${agentId}?tab=playground`
    await update({ description: 'Answers' })
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const update = async (body: object) => {
    const { status } = await journey.server.call(`PUT /api/v1/agents/${agentId}`, { body })
    expect(status).toBe(200)
  }

  test(
    'a conversation streams, is restored after a reload, and continues',
    async () => {
      const { page, faults } = await journey.open(await journey.person('member'), agentPath)
      await ask(page, 'Where is my order? [[pace: 40]]')
      await page.getByRole('button', { name: 'Stop' }).waitFor()
      await answered(page, 1)
      await log(page)
        .getByText(/first word/)
        .waitFor()
      await ask(page, 'And the second one?')
      await answered(page, 2)
      for (const facts of await log(page)
        .getByText(/^first word/)
        .all()) {
        const [first, whole] = await Promise.all([
          facts.innerText(),
          facts.locator('xpath=following-sibling::span[1]').innerText(),
        ])
        expect(milliseconds(first), `${first}, ${whole}`).toBeLessThanOrEqual(milliseconds(whole))
      }
      expect(new URL(page.url()).searchParams.get('run')).toMatch(/^[0-9a-f-]{36}$/)
      const before = await log(page).getByRole('article').count()
      await page.reload()
      await answered(page, 2)
      expect(await log(page).getByRole('article').count()).toBe(before)
      await log(page).getByText('Where is my order?').first().waitFor()
      // Unseen values come from the server, which measures something else.
      await log(page)
        .getByText(/first token/)
        .first()
        .waitFor()
      expect(
        await log(page)
          .getByText(/first word/)
          .count(),
      ).toBe(0)
      await ask(page, 'A third?')
      await answered(page, 3)
      await page.getByRole('button', { name: 'New conversation' }).click()
      await page.getByRole('heading', { name: /^Talk to/ }).waitFor()
      expect(new URL(page.url()).searchParams.get('run')).toBeNull()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a run is resumed while it is written, and stopped',
    async () => {
      const { page } = await journey.open(await journey.person('member'), agentPath)
      await ask(page, 'Count [[pace: 700]] [[reply: one two three four five six seven eight nine ten]]')
      await log(page).getByText('one', { exact: false }).last().waitFor()
      await page.waitForURL(/run=/)
      await page.reload()
      await log(page)
        .getByText(/one two/)
        .last()
        .waitFor()
      await page.getByRole('button', { name: 'Stop' }).click()
      await log(page).getByText('Stopped', { exact: true }).waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('textarea')
      expect(await log(page).innerText()).not.toMatch(/one two three four five six seven eight nine ten\s*$/)
    },
    PATIENCE_MS,
  )

  test(
    'a message that was refused while another tab of the page was looked at is in its field again',
    async () => {
      const { page } = await journey.open(await journey.person('member'), agentPath)
      let refuse = () => {}
      const held = new Promise<void>((resolve) => {
        refuse = resolve
      })
      await page.route(/\/playground\?/, async (route) => {
        await held
        await route.fulfill({ status: 503, json: { error: 'unavailable', message: 'Not now.' } })
      })
      const field = page.getByRole('textbox', { name: 'Message', exact: true })
      await ask(page, 'Do not lose this')
      await expect.poll(() => field.inputValue()).toBe('')
      await page.getByRole('tab', { name: 'Editor' }).click()
      const answer = page.waitForResponse((response) => /\/playground\?/.test(response.url()))
      refuse()
      await answer
      await page.getByRole('tab', { name: 'Playground' }).click()
      await expect.poll(() => field.inputValue()).toBe('Do not lose this')
    },
    PATIENCE_MS,
  )

  test(
    'a sent message continues while another tab of the page is open',
    async () => {
      const { page, faults } = await journey.open(await journey.person('member'), agentPath)
      let allow = () => {}
      const held = new Promise<void>((resolve) => {
        allow = resolve
      })
      await page.route(/\/playground\?/, async (route) => {
        await held
        await route.continue()
      })
      await ask(page, 'Do not wait for me')
      await page.getByRole('tab', { name: 'Editor' }).click()
      await page.getByRole('textbox', { name: 'Name' }).waitFor()
      allow()
      await page.waitForURL(/run=/)
      await page.getByRole('tab', { name: 'Playground' }).click()
      await answered(page, 1)
      await log(page).getByText('Do not wait for me').first().waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a save keeps the questions in its columns, and the next message continues there',
    async () => {
      await update({ name: 'Saved aside', config: { instructions: 'You are brief. [[reply: As before.]]' } })
      const { page, faults } = await journey.open(
        await journey.person('member'),
        agentPath.replace('tab=playground', 'tab=editor'),
      )
      await page.getByRole('textbox', { name: 'Name' }).fill('Saved aside and renamed')
      await page.getByRole('tab', { name: 'Playground' }).click()
      await choose(page, page.getByRole('button', { name: 'Compare' }), /^Live/)
      await ask(page, 'Both of you')
      await answered(page, 2)
      const runs = () => new URL(page.url()).searchParams.get('run')
      const before = runs()
      await page.getByRole('button', { name: /^Save/ }).first().click()
      await page.getByRole('button', { name: /^Save/ }).first().waitFor({ state: 'detached' })
      await expect.poll(() => new URL(page.url()).searchParams.get('beside')).toMatch(/^[0-9a-f-]{36}$/)
      expect(runs()).toBe(before)
      expect(await traces(page).count()).toBe(2)
      await ask(page, 'And once more')
      await answered(page, 4)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'caller fields are sent, and stay in the page only',
    async () => {
      const { page } = await journey.open(await journey.person('member'), agentPath)
      const caller = page.getByRole('button', { name: /^Caller:/ })
      await caller.click()
      await page.getByRole('textbox', { name: 'User id' }).fill('ana-7')
      const context = page.getByRole('textbox', { name: 'Tool context' })
      await context.click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('{"tenant": ')
      await page.getByText('is not valid JSON').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Caller: The tool context is not JSON yet' }).waitFor()
      expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
      await caller.click()
      await context.click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('{"tenant": "lakeside"}')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Caller: User ana-7 · 1 key of tool context' }).waitFor()
      const sent = page.waitForRequest(/\/playground\?/)
      await ask(page, 'For whom?')
      expect((await sent).postDataJSON()).toMatchObject({
        user_id: 'ana-7',
        tool_context: { tenant: 'lakeside' },
        message: 'For whom?',
      })
      await answered(page, 1)
      expect(await page.evaluate<string>(KEPT_VALUES)).not.toContain('lakeside')
    },
    PATIENCE_MS,
  )

  test(
    'a conversation that cannot be loaded now keeps its address, and is loaded on a press',
    async () => {
      const { page } = await journey.open(await journey.person('member'), agentPath)
      await ask(page, 'Keep my place')
      await answered(page, 1)
      const address = page.url()
      await page.route('**/runs/*', (route) => route.abort())
      await page.reload()
      await page.getByText('The conversation could not be loaded').waitFor()
      expect(page.url()).toBe(address)
      await page.unroute('**/runs/*')
      await page.getByRole('button', { name: 'Try again' }).click()
      await log(page).getByText('Keep my place').first().waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'a message is edited and sent again, and an unsent one outlives a reload',
    async () => {
      const { page } = await journey.open(await journey.person('member'), agentPath)
      await ask(page, 'Wehre is it?')
      await answered(page, 1)
      await page.getByRole('button', { name: 'Edit and resend' }).click()
      await page.getByRole('textbox', { name: 'Edit the message' }).fill('Where is it?')
      await page.getByRole('button', { name: 'Send again' }).click()
      await log(page).getByText('Where is it?').first().waitFor()
      await answered(page, 1)
      expect(await log(page).getByRole('article').count()).toBe(1)
      expect(await log(page).getByText('Wehre').count()).toBe(0)
      const field = page.getByRole('textbox', { name: 'Message', exact: true })
      await field.fill('Not sent yet')
      // Input is written after at most 300 ms, and at the latest when the page is left.
      await page.reload()
      await expect.poll(() => field.inputValue()).toBe('Not sent yet')
    },
    PATIENCE_MS,
  )

  test(
    'a failure has a next step, and resends the same message',
    async () => {
      const { page } = await journey.open(await journey.person('member'), agentPath)
      await ask(page, 'Hello [[fail: 400]]')
      const problem = page.getByRole('alert').filter({ hasText: 'The run failed' })
      await problem.getByRole('link', { name: 'Models' }).waitFor()
      // On a phone, the buttons are below the text.
      await page.setViewportSize({ width: 360, height: 800 })
      const text = problem.getByText('The run failed', { exact: true }).locator('..')
      await expect.poll(async () => (await text.boundingBox())?.width ?? 0).toBeGreaterThan(220)
      await page.setViewportSize({ width: 1280, height: 800 })
      await problem.getByRole('button', { name: 'Try again' }).click()
      await log(page).getByRole('article').nth(1).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'two versions answer the same message, and their differences are marked by words',
    async () => {
      await update({ config: { instructions: 'You are brief. [[reply: It is on its way.]]' } })
      const { page, faults } = await journey.open(await journey.person('member'), agentPath)
      await choose(page, page.getByRole('button', { name: 'Compare' }), /^v1/)
      await ask(page, 'Where is it?')
      await answered(page, 2)
      // Without room side by side, the answers are one below the other, each below its version.
      const tops = async () => {
        const boxes = await Promise.all((await traces(page).all()).map((trace) => trace.boundingBox()))
        return boxes.map((box) => Math.round(box?.y ?? 0))
      }
      const [first, second] = await tops()
      expect(second).toBe(first)
      await page.setViewportSize({ width: 360, height: 740 })
      await log(page).getByText('v1', { exact: true }).waitFor()
      const [upper = 0, lower = 0] = await tops()
      expect(lower).toBeGreaterThan(upper)
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByRole('radio', { name: 'Differences' }).click()
      await log(page).locator('ins').first().waitFor()
      await page.reload()
      await answered(page, 2)
      expect(new URL(page.url()).searchParams.get('beside')).not.toBeNull()
      await page.getByRole('button', { name: 'Remove v1' }).click()
      await expect.poll(() => traces(page).count()).toBe(1)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a call that needs approval is decided where it is read',
    async () => {
      const tools = [{ type: 'builtin', builtin: 'calculator', approval: 'always' }]
      await update({ config: { instructions: 'You count.', tools } })
      const { page } = await journey.open(await journey.person('member'), agentPath)
      await ask(page, 'Add [[tool: calculator {"expression": "17 * 3"}]]')
      await page.getByRole('group', { name: 'calculator waits for your approval' }).waitFor()
      await page.getByRole('button', { name: 'Approve' }).click()
      await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('summary')
      await answered(page, 1)
      const call = log(page).locator('summary').filter({ hasText: 'calculator' })
      await call.getByText('Approved').waitFor()
      await call.click()
      await log(page)
        .getByRole('region', { name: /calculator: Result/ })
        .getByText('51')
        .waitFor()
      await ask(page, 'Thanks.')
      await answered(page, 2)
      await page.reload()
      await answered(page, 2)
      await call.getByText('Approved').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'the members of a team have lanes with their tasks',
    async () => {
      const { server, slug } = journey
      const { organizationId } = server.seed
      const team = await seedTeam(server.context.database, {
        organizationId,
        projectId: null,
        config: { mode: 'parallel' },
      })
      const path = `/o/${slug}/teams/${team.teamId}?tab=playground`
      const { page, faults } = await journey.open(await journey.person('member'), path)
      await ask(page, 'What do you think?')
      await answered(page, 1)
      const lanes = log(page).getByRole('list', { name: 'Members' })
      expect(await lanes.getByText('Handed over').count()).toBe(2)
      expect(await lanes.getByText('Done', { exact: true }).count()).toBe(2)
      await choose(page, page.getByRole('button', { name: 'Compare' }), /Handoff/)
      await page.getByRole('button', { name: 'Remove As Handoff' }).waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a version is compared, labelled, restored on top of a colleague’s save, and run',
    async () => {
      const { page, faults } = await journey.open(
        await journey.person('member', 'Eva'),
        `/o/${journey.slug}/agents/${agentId}?tab=versions`,
      )
      const list = page.getByRole('list', { name: 'Versions' })
      await page
        .getByRole('region', { name: 'Compare' })
        .getByText(/differ/)
        .waitFor()
      await choose(page, list.getByRole('button', { name: 'Actions for v1', exact: true }), 'Label and note…')
      await page.getByRole('textbox', { name: 'Label' }).fill('The first one')
      await page.keyboard.press('Enter')
      await list.getByText('The first one').waitFor()
      await choose(page, list.getByRole('button', { name: 'Actions for v1', exact: true }), 'Restore…')
      await update({ description: 'Saved meanwhile' })
      await page.getByRole('button', { name: 'Restore', exact: true }).click()
      await page.getByRole('button', { name: 'Restore anyway' }).click()
      await page.getByText('v1 was restored').waitFor()
      await choose(
        page,
        list.getByRole('button', { name: 'Actions for v1', exact: true }),
        'Use in playground',
      )
      await page.waitForURL(/tab=playground.*version=|version=.*tab=playground/)
      await page.getByRole('button', { name: 'Runs v1' }).waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a viewer reads versions and may not send messages',
    async () => {
      const { page } = await journey.open(await journey.person('viewer'), agentPath)
      await page.getByText('Only members, admins and owners can do this').waitFor()
      expect(await page.getByRole('textbox', { name: 'Message', exact: true }).count()).toBe(0)
    },
    PATIENCE_MS,
  )

  test.each(WIDTHS)(
    'the playground has no visual faults at %d px, in light and dark',
    async (width) => {
      const { slug, url } = journey
      const look = `${width}`
      const window = await journey.open(await journey.person('owner'), agentPath, { width })
      const { page } = window
      await page.getByRole('heading', { name: /^Talk to/ }).waitFor()
      await expectGood(window, `playground-empty-${look}`)
      await ask(page, 'Count [[tool: calculator {"expression": "17 * 3"}]] and say **why**')
      await page
        .getByRole('group', { name: /waits for your approval/ })
        .or(traces(page).first())
        .waitFor()
      await expectGood(window, `playground-approval-${look}`)
      for (const [tab, role] of [
        ['versions', 'list'],
        ['use', 'region'],
      ] as const) {
        await page.goto(`${url}/o/${slug}/agents/${agentId}?tab=${tab}`)
        await page.getByRole(role, { name: tab === 'use' ? 'Program in curl' : 'Versions' }).waitFor()
        await page.waitForLoadState('networkidle')
        await expectGood(window, `agent-${tab}-${look}`)
      }
    },
    4 * PATIENCE_MS,
  )
})

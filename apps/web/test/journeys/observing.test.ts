import { readFile } from 'node:fs/promises'
import { propertyOf } from '@troupe/contract'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { ECHO_GRAPH, seedWorkflow } from '@troupe/test-kit/seed-workflow'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchMouseOff, WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'

const PATIENCE_MS = 120_000
const POLL = { timeout: 20_000, interval: 50 }

describe.skipIf(CHROMIUM === null)('observing', () => {
  let journey: Journey
  let agentId: string
  let failingId: string
  let teamRunId: string
  let workflowRunId: string

  const call = (target: string, body?: object) =>
    journey.server.call(target, body === undefined ? {} : { body })
  const at = (path: string) => `/o/${journey.slug}/${path}`
  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name }).waitFor()

  /** Runs of an agent in a session, of a team, of a workflow, and two failures with one cause. */
  async function seedRuns(): Promise<void> {
    const { server } = journey
    const { organizationId, agents } = server.seed
    agentId = agents.organization
    for (const message of ['Where is my order?', 'And when does it arrive?', 'Thank you']) {
      await call(`POST /api/v1/agents/${agentId}/run`, {
        ...{ message, session_id: 'chat-7', user_id: 'ana@acme.test', tag: 'web' },
      })
    }
    const { teamId } = await seedTeam(server.context.database, { organizationId, projectId: null })
    const ofTeam = await call(`POST /api/v1/teams/${teamId}/run-sync`, { message: 'Who pays for this?' })
    teamRunId = String(propertyOf(ofTeam.body, 'runId'))
    const set = (value: string) => ({
      nodes: [
        ...ECHO_GRAPH.nodes,
        {
          ...{ id: 'set', type: 'variable', name: 'Set', position: { x: 1, y: 0 } },
          config: { rows: [{ name: 'x', op: 'set', value }] },
        },
      ],
      edges: [{ id: 'e', source: 'start', sourceHandle: 'out', target: 'set' }],
    })
    const seeded = (name: string, graph: object) =>
      seedWorkflow(server.context.database, { organizationId, projectId: null, name, graph })
    const good = await seeded('Orders', set('{{ trigger.order }}'))
    const ran = await call(`POST /api/v1/workflows/${good}/run`, { input: { order: 'A-1' } })
    workflowRunId = String(propertyOf(ran.body, 'executionId'))
    failingId = await seeded('Broken', set('{{ trigger.missing }}'))
    for (let count = 0; count < 2; count += 1) await call(`POST /api/v1/workflows/${failingId}/run`, {})
  }

  beforeAll(async () => {
    journey = await startJourney()
    await seedRuns()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test(
    'Space shows the summary of a row, arrows change it, and Space or Escape closes it, all with the keyboard',
    async () => {
      const window = await journey.open(await journey.person('owner'), at('runs?range=day'))
      const { page, context } = window
      await switchMouseOff(window)
      const row = (index: number) => page.locator(`tr[data-index="${index}"]`)
      const summary = page.getByRole('region', { name: /^Summary of / })
      await row(0).waitFor()
      for (const [key, index] of [
        ['j', 0],
        ['j', 1],
        ['k', 0],
      ] as const) {
        await page.keyboard.press(key)
        await expect.poll(() => row(index).evaluate((one) => one.matches(':focus')), POLL).toBe(true)
        // Also from elsewhere on the page.
        await row(index).evaluate((one) => one.blur())
      }
      await row(0).focus()
      await page.keyboard.press('Space')
      await page.getByRole('region', { name: 'Summary of Broken, Failed' }).waitFor()
      await summary.getByRole('alert').waitFor()
      await expectGood(window, 'peek-run-1280')
      for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowDown')
      await page.getByRole('region', { name: 'Summary of Orders, Completed' }).waitFor()
      await expect.poll(() => row(2).evaluate((one) => one.matches(':focus')), POLL).toBe(true)
      await page.keyboard.press('Space')
      await summary.waitFor({ state: 'detached' })

      // Tab goes into the summary, and what closes it there leads back to the row.
      await page.keyboard.press('Space')
      await page.keyboard.press('Tab')
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => row(3).evaluate((one) => one.matches(':focus')), POLL).toBe(true)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      expect(await summary.evaluate((one) => one.matches(':focus-within'))).toBe(true)
      await page.keyboard.press('Escape')
      await summary.waitFor({ state: 'detached' })
      await expect.poll(() => row(3).evaluate((one) => one.matches(':focus')), POLL).toBe(true)

      for (const list of ['agents', 'teams', 'workflows']) {
        await page.goto(journey.url + at(list))
        const name = await row(0).getByRole('link').first().innerText()
        await row(0).focus()
        await page.keyboard.press('Space')
        await page.getByRole('region', { name: `Summary of ${name}` }).waitFor()
        await expectGood(window, `peek-${list}-1280`)
        await page.setViewportSize({ width: 360, height: 740 })
        await expectGood(window, `peek-${list}-360`)
        await page.setViewportSize({ width: 1280, height: 860 })
      }
      await page.keyboard.press('?')
      await page.getByRole('dialog').getByText('Show its summary at the side').waitFor()
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'runs are narrowed by dragging over the histogram, the link shows the same, and the selection is a CSV file',
    async () => {
      const owner = await journey.person('owner')
      const { page, faults, context } = await journey.open(owner, at('runs?range=day'))
      const table = page.getByRole('table', { name: 'Runs' })
      const rows = table.locator('tbody tr[data-index]')
      await expect.poll(() => rows.count(), POLL).toBe(7)
      const chart = page.getByRole('img', { name: 'Runs over time' })
      const box = await chart.boundingBox()
      if (!box) throw new Error('the chart has no place')
      // Everything ran in the last bars.
      await page.mouse.move(box.x + box.width * 0.9, box.y + 20)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width - 2, box.y + 20, { steps: 4 })
      await page.mouse.up()
      await page.waitForURL(/from=\d+&.*to=\d+/)
      await expect.poll(() => rows.count(), POLL).toBe(7)
      const link = page.url()
      const other = await journey.open(await journey.person('viewer'), link.slice(journey.url.length))
      await expect.poll(() => other.page.locator('tbody tr[data-index]').count(), POLL).toBe(7)
      await other.context.close()

      await rows.nth(0).getByRole('checkbox').click()
      await rows.nth(1).getByRole('checkbox').click()
      await page.getByRole('toolbar', { name: '2 runs selected' }).waitFor()
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export as CSV' }).click()
      const csv = await readFile(await (await saving).path(), 'utf8')
      expect(csv.split('\r\n')).toHaveLength(4)
      expect(csv).toContain('Broken')

      // The chart has moved: the time is a filter now, in a line of its own above it.
      const narrowed = await chart.boundingBox()
      await page.mouse.move(box.x + box.width * 0.2, (narrowed?.y ?? 0) + 20)
      await page.mouse.down()
      await page.mouse.up()
      await page.getByText('No run matches').waitFor()
      await page.goBack()
      await expect.poll(() => rows.count(), POLL).toBe(7)

      // The same with the keyboard alone.
      await page.getByRole('button', { name: 'More filters' }).press('Enter')
      await page.getByLabel(/^To/).fill('2026-01-01T10:00')
      await page.keyboard.press('Enter')
      await page.getByText('This must be after “From”.').waitFor()
      await page.getByLabel(/^From/).fill('2026-01-01T09:00')
      await page.keyboard.press('Enter')
      await page.getByText('No run matches').waitFor()
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'new runs are counted instead of moving the rows, and shown on a press',
    async () => {
      const { page, context } = await journey.open(await journey.person('owner'), at('runs?kind=agent'))
      const rows = page.getByRole('table', { name: 'Runs' }).locator('tbody tr[data-index]')
      await expect.poll(() => rows.count(), POLL).toBe(3)
      await call(`POST /api/v1/agents/${agentId}/run`, { message: 'One more' })
      await page.getByRole('button', { name: '1 new run' }).click()
      await expect.poll(() => rows.count(), POLL).toBe(4)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'rows of before, found again when a filter is taken back, are brought up to date and what is new is counted',
    async () => {
      const { page, context } = await journey.open(
        await journey.person('owner'),
        at('runs?kind=agent&range=all'),
      )
      const rows = page.getByRole('table', { name: 'Runs' }).locator('tbody tr[data-index]')
      await expect.poll(() => rows.count(), POLL).toBe(4)
      const choose = async (shown: string, status: string) => {
        await page.getByRole('button', { name: `${shown} Status` }).click()
        await page.getByRole('option', { name: status, exact: true }).click()
      }
      await choose('All states', 'Failed')
      await page.getByText('No run matches').waitFor()
      await call(`POST /api/v1/agents/${agentId}/run`, { message: 'While only failures are shown' })
      await choose('Failed', 'All states')
      await page.getByRole('button', { name: '1 new run' }).click()
      await expect.poll(() => rows.count(), POLL).toBe(5)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a failure leads from Home to its cause: all of them, one of them, the node that failed',
    async () => {
      const window = await journey.open(await journey.person('member'), at(''))
      const { page, faults, context } = window
      await page.getByRole('link', { name: /Broken.*2 failures/ }).click()
      await page.waitForURL(new RegExp(`entity=${failingId}.*cause=.*missing`))
      const table = page.getByRole('table', { name: 'Runs' })
      await expect.poll(() => table.locator('tbody tr[data-index]').count(), POLL).toBe(2)
      await table.getByRole('link').first().click()
      await heading(page, /Broken: failed/)
      await page.getByRole('radio', { name: 'Failed 1' }).click()
      await page.getByRole('table', { name: 'Steps' }).getByRole('link', { name: /Set/ }).click()
      const sheet = page.getByRole('dialog', { name: 'Set' })
      await sheet.getByText('missing').first().waitFor()
      await expectGood(window, 'run-failed-node')
      expect(page.url()).toContain('node=set')
      await page.reload()
      await page.getByRole('dialog', { name: 'Set' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Run again' }).click()
      await heading(page, /Broken: (queued|running|failed)/)
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a run of a team is a tree with a reason for each step, and is taken along as Markdown',
    async () => {
      const window = await journey.open(await journey.person('member'), at(`runs/${teamRunId}`))
      const { page, faults, context } = window
      await heading(page, /Desk: completed/)
      const steps = page.getByRole('table', { name: 'Steps' })
      await steps.getByText('Choose who answers').waitFor()
      await steps.getByText(/The lead chose m\d with this task/).waitFor()
      await steps
        .getByRole('link', { name: /Billing|Support/ })
        .first()
        .click()
      await page.getByRole('dialog').getByText('Task', { exact: true }).waitFor()
      await expectGood(window, 'run-team-step')
      await page.keyboard.press('Escape')
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'Copy as Markdown' }).click()
      await page.getByText('Copied as Markdown').waitFor()
      const copied = await page.evaluate<string>('navigator.clipboard.readText()')
      expect(copied).toContain('## Desk: completed')
      expect(copied).toContain('Who pays for this?')
      expect(copied).toContain(teamRunId)
      await page.getByRole('tab', { name: 'Messages' }).click()
      await page.getByRole('listitem').filter({ hasText: 'Who pays for this?' }).first().waitFor()
      await page.getByRole('tab', { name: 'JSON' }).click()
      await page.getByRole('region', { name: 'The run as JSON' }).waitFor()
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a run is watched while it writes, and cancelled from its page',
    async () => {
      const message = `[[reply: ${'word '.repeat(400)}]] [[pace: 100]]`
      const started = await call(`POST /api/v1/agents/${agentId}/run-async`, { message })
      const jobId = String(propertyOf(started.body, 'jobId'))
      const { page, faults, context } = await journey.open(
        await journey.person('member'),
        at(`runs/${jobId}`),
      )
      const live = page.getByRole('region', { name: 'Live' })
      await live.getByText(/word word word/).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await heading(page, /canceled/)
      await live.waitFor({ state: 'detached' })
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the trace of a plan has its rounds, and rebuilds the prompts of the lead and of its members',
    async () => {
      const { server } = journey
      const config = { mode: 'plan-execute' }
      const { organizationId } = server.seed
      const { teamId } = await seedTeam(server.context.database, { organizationId, projectId: null, config })
      const ran = await call(`POST /api/v1/teams/${teamId}/run-sync`, {
        message: 'Move us to the new office',
      })
      const { page, faults, context } = await journey.open(
        await journey.person('member'),
        at(`runs/${String(propertyOf(ran.body, 'runId'))}`),
      )
      const steps = page.getByRole('table', { name: 'Steps' })
      await steps.getByRole('link', { name: /^Round 1/ }).waitFor()
      const texts: string[] = []
      for (const name of [/^Plan /, /^Answer /]) {
        await steps.getByRole('link', { name }).first().click()
        const details = page.getByRole('dialog')
        await details.getByRole('button', { name: 'Rebuild the prompt' }).click()
        await details.getByText('placeholder in angle quotes').waitFor()
        texts.push(await details.innerText())
        await page.keyboard.press('Escape')
        await details.waitFor({ state: 'detached' })
      }
      expect(texts[0]).toContain('You lead.')
      expect(texts[0]).toContain('Move us to the new office')
      expect(texts[1]).not.toContain('You lead.')
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the prompt of a model call is rebuilt from the version that ran',
    async () => {
      const { page, faults, context } = await journey.open(
        await journey.person('member'),
        at('runs?kind=agent&tag=web'),
      )
      await page.getByRole('table', { name: 'Runs' }).getByRole('link').first().click()
      await page
        .getByRole('table', { name: 'Steps' })
        .getByRole('link', { name: /Answer/ })
        .click()
      await page.getByRole('button', { name: 'Rebuild the prompt' }).click()
      await page.getByText('Rebuilt from version 1').waitFor()
      await page.getByRole('region', { name: 'User' }).waitFor()
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a conversation over its runs, and what the model saw in a turn',
    async () => {
      const window = await journey.open(await journey.person('viewer'), at('sessions?user=ana%40acme.test'))
      const { page, faults, context } = window
      await page.getByRole('table', { name: 'Conversations' }).getByRole('link').first().click()
      await heading(page, /Conversation with/)
      await page.getByRole('article', { name: 'Turn 3' }).getByText('Thank you', { exact: true }).waitFor()
      await page
        .getByRole('article', { name: 'Turn 2' })
        .getByRole('button', { name: 'What the model saw' })
        .click()
      const sheet = page.getByRole('dialog', { name: 'What the model saw in turn 2' })
      await sheet.getByText('Where is my order?', { exact: true }).waitFor()
      await sheet.getByText('And when does it arrive?', { exact: true }).waitFor()
      await expectGood(window, 'session-seen')
      expect(page.url()).toContain('turn=2')
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'usage names what used it, and a budget that will not last says on which day it is full',
    async () => {
      const owner = await journey.person('owner')
      const window = await journey.open(owner, at('usage'))
      const { page, faults, context } = window
      await page.getByRole('table', { name: 'By model' }).getByText('sandbox-1').waitFor()
      // No model has a price, so tokens are shown first, and costs are no empty axes.
      await page.getByRole('button', { name: /^Tokens/, pressed: true }).waitFor()
      await page.getByRole('button', { name: /^Cost/ }).click()
      await page.getByText('No cost in this period: no model that was called has a price.').waitFor()
      await page.getByRole('button', { name: /^Runs/ }).click()
      await page.waitForURL(/metric=runs/)
      // Also while the next answer is on its way.
      const focused = () => page.evaluate<string>('document.activeElement.innerText')
      await page.waitForLoadState('networkidle')
      expect(await focused()).toMatch(/^Runs/)
      await page.getByRole('button', { name: 'By model Group by' }).click()
      await page.getByRole('option', { name: 'By tag' }).click()
      await page.getByRole('table', { name: 'By tag' }).getByText('web').waitFor()
      await page.getByRole('radio', { name: 'Table' }).click()
      await page.getByRole('columnheader', { name: 'web' }).waitFor()
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export CSV' }).click()
      expect(await readFile(await (await saving).path(), 'utf8')).toContain('web')
      await page.getByRole('link', { name: 'Manage budgets' }).click()
      await heading(page, 'Budgets')
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a budget that is used up refuses calls; Home says so; raised, calls go through again',
    async () => {
      const owner = await journey.person('owner', 'Olga')
      const window = await journey.open(owner, at('settings/budgets?create=1'))
      const { page, faults, context } = window
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Metric/ }).click()
      await page.getByRole('option', { name: 'Tokens of models' }).click()
      await dialog.getByRole('textbox', { name: 'Limit per month' }).fill('1')
      // A number counts when its field is left.
      await page.keyboard.press('Tab')
      await dialog.getByRole('button', { name: 'Save budget' }).click()
      await dialog.waitFor({ state: 'detached' })
      const run = () => call(`POST /api/v1/agents/${agentId}/run`, { message: 'Again?' })
      await expect.poll(async () => (await run()).status, POLL).toBe(429)
      await page.goto(journey.url + at(''))
      await page.getByRole('link', { name: /of the budget for/ }).waitFor()
      await page.goto(journey.url + at('usage'))
      await page.getByText('Full: calls are refused').waitFor()
      await expectGood(window, 'usage-budget-full')
      await page.goto(journey.url + at('settings/budgets'))
      await page.getByRole('button', { name: /^Actions for/ }).click()
      await page.getByRole('menuitem', { name: /Change/ }).click()
      await dialog.getByRole('textbox', { name: 'Limit per month' }).fill('90000000')
      await page.keyboard.press('Tab')
      await dialog.getByRole('button', { name: 'Save budget' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(async () => (await run()).status, POLL).toBe(200)
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test.each(WIDTHS)(
    'runs, a run, conversations and usage are good at %d px, in light and dark',
    async (width) => {
      const person = await journey.person('owner')
      const window = await journey.open(person, at('runs'), { width })
      const { page, context } = window
      for (const [name, path] of [
        ['runs', 'runs'],
        ['run-team', `runs/${teamRunId}`],
        ['run-workflow', `runs/${workflowRunId}`],
        ['run-messages', `runs/${teamRunId}?tab=messages`],
        ['sessions', 'sessions'],
        ['usage', 'usage?metric=tokens'],
      ] as const) {
        await page.goto(journey.url + at(path))
        await page.waitForLoadState('networkidle')
        await expectGood(window, `${name}-${width}`)
      }
      await page.goto(journey.url + at('sessions'))
      await page.getByRole('table', { name: 'Conversations' }).getByRole('link').last().click()
      await heading(page, /Conversation with/)
      await page.waitForLoadState('networkidle')
      await expectGood(window, `session-${width}`)
      await context.close()
    },
    PATIENCE_MS,
  )
})

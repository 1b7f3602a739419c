import { propertyOf } from '@troupe/contract'
import { seedTeam } from '@troupe/test-kit/seed-team'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { type SeededRuns, seedRuns } from './observed-runs.ts'

const PATIENCE_MS = 120_000
const POLL = { timeout: 20_000, interval: 50 }

describe.skipIf(CHROMIUM === null)('runs and conversations, looked into', () => {
  let journey: Journey
  let seeded: SeededRuns
  beforeAll(async () => {
    journey = await startJourney()
    seeded = await seedRuns(journey)
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const call = (target: string, body?: object) =>
    journey.server.call(target, body === undefined ? {} : { body })
  const at = (path: string) => `/o/${journey.slug}/${path}`
  /** The title of the window is the outcome of the run. */
  const verdict = (page: Page, text: RegExp) => expect.poll(() => page.title(), POLL).toMatch(text)
  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name }).waitFor()

  test(
    'a failure leads from Home to its cause: all of them, one of them, the node that failed',
    async () => {
      const window = await journey.open(await journey.person('member'), at(''))
      const { page, faults, context } = window
      await page.getByRole('link', { name: /Broken.*2 failures/ }).click()
      await page.waitForURL(new RegExp(`entity=${seeded.failingId}.*cause=.*missing`))
      const table = page.getByRole('table', { name: 'Runs' })
      await expect.poll(() => table.locator('tbody tr[data-index]').count(), POLL).toBe(2)
      await table.getByRole('link').first().click()
      await verdict(page, /^Broken: failed/)
      await page.getByRole('radio', { name: 'Failed 1' }).click()
      await page.getByRole('table', { name: 'Steps' }).getByRole('link', { name: /Set/ }).click()
      const inspector = page.getByRole('complementary', { name: 'Set' })
      await inspector.getByText('missing').first().waitFor()
      await expectGood(window, 'run-failed-node')
      expect(page.url()).toContain('node=set')
      await page.reload()
      await inspector.waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Run again' }).click()
      await verdict(page, /^Broken: (queued|running|failed)/)
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a run of a team is a tree with a reason for each step, and can be copied as Markdown',
    async () => {
      const window = await journey.open(await journey.person('member'), at(`runs/${seeded.teamRunId}`))
      const { page, faults, context } = window
      await verdict(page, /^Desk: completed/)
      const steps = page.getByRole('table', { name: 'Steps' })
      await steps.getByText('Choose who answers').waitFor()
      await steps
        .getByRole('link', { name: /Billing|Support/ })
        .first()
        .click()
      const inspector = page.getByRole('complementary')
      await inspector.getByText(/The lead chose m\d with this task/).waitFor()
      await inspector.getByText('Task', { exact: true }).waitFor()
      await expectGood(window, 'run-team-step')
      // The arrows go along the steps, and the inspector with them.
      await page.keyboard.press('ArrowUp')
      await page.getByRole('complementary', { name: 'Choose who answers' }).waitFor()
      await page.keyboard.press('ArrowUp')
      const whole = page.getByRole('complementary', { name: 'Whole run' })
      await whole.getByText('Who pays for this?').first().waitFor()
      expect(new URL(page.url()).searchParams.get('node')).toBeNull()
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'Copy as Markdown' }).click()
      await page.getByText('Copied as Markdown').waitFor()
      const copied = await page.evaluate<string>('navigator.clipboard.readText()')
      expect(copied).toContain('## Desk: completed')
      expect(copied).toContain('Who pays for this?')
      expect(copied).toContain(seeded.teamRunId)
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
      const started = await call(`POST /api/v1/agents/${seeded.agentId}/run-async`, { message })
      const jobId = String(propertyOf(started.body, 'jobId'))
      const { page, faults, context } = await journey.open(
        await journey.person('member'),
        at(`runs/${jobId}`),
      )
      const live = page.getByRole('region', { name: 'Live' })
      await live.getByText(/word word word/).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await verdict(page, /canceled/)
      await live.waitFor({ state: 'detached' })
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'the trace of a plan has its rounds, and the prompts of the lead and of its members',
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
      await steps.getByRole('link', { name: /Round 1/ }).waitFor()
      const texts: string[] = []
      for (const name of [/ Plan /, / Answer /]) {
        await steps.getByRole('link', { name }).first().click()
        const details = page.getByRole('complementary')
        await details.getByRole('button', { name: 'Show the prompt' }).click()
        await details.getByRole('region', { name: 'User' }).first().waitFor()
        texts.push(await details.innerText())
        await page.keyboard.press('Escape')
        await page.getByRole('complementary', { name: 'Whole run' }).waitFor()
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
    'the prompt of a model call is shown exactly as sent',
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
      await page.getByRole('button', { name: 'Show the prompt' }).click()
      await page.getByRole('region', { name: 'User' }).first().waitFor()
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a conversation over its runs, and the prompt of a turn',
    async () => {
      const window = await journey.open(await journey.person('viewer'), at('sessions?user=ana%40acme.test'))
      const { page, faults, context } = window
      await page.getByRole('table', { name: 'Conversations' }).getByRole('link').first().click()
      await heading(page, 'Where is my order?')
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

  test.each(WIDTHS)(
    'runs, a run, conversations and usage have no visual faults at %d px, in light and dark',
    async (width) => {
      const person = await journey.person('owner')
      const window = await journey.open(person, at('runs'), { width })
      const { page, context } = window
      for (const [name, path] of [
        ['runs', 'runs'],
        ['run-team', `runs/${seeded.teamRunId}`],
        ['run-workflow', `runs/${seeded.workflowRunId}`],
        ['run-messages', `runs/${seeded.teamRunId}?tab=messages`],
        ['sessions', 'sessions'],
        ['usage', 'usage?metric=tokens'],
      ] as const) {
        await page.goto(journey.url + at(path))
        await page.waitForLoadState('networkidle')
        await expectGood(window, `${name}-${width}`)
      }
      await page.goto(journey.url + at('sessions'))
      await page.getByRole('table', { name: 'Conversations' }).getByRole('link').last().click()
      await heading(page, 'Where is my order?')
      await page.waitForLoadState('networkidle')
      await expectGood(window, `session-${width}`)
      await context.close()
    },
    PATIENCE_MS,
  )
})

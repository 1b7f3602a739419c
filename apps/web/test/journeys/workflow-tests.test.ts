import type { RunDetail } from '@troupe/contract/builder'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchMouseOff } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { edge, ORDERS, ORDERS_OF_A_DAY, step } from './orders-graph.ts'
import { newWorkflow, publishedWorkflow, storedWorkflow, workflowPath } from './workflow-steps.ts'

const PATIENCE_MS = 180_000
const WAIT = { timeout: 20_000, interval: 100 }

/** A model writes a greeting, which the last step reads. */
const GREETING = {
  nodes: [
    { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
    {
      id: 'write',
      type: 'ai-prompt',
      name: 'Write a greeting',
      config: { prompt: 'Greet {{ trigger.name }}' },
    },
    step('send', 'Send it', {
      config: { rows: [{ name: 'text', value: '{{ upstream.write.output.text }}' }] },
    }),
  ],
  edges: [edge('start', 'write'), edge('write', 'send')],
}

const focused = (page: Page) => page.locator(':focus')

describe.skipIf(CHROMIUM === null)('tests of a draft', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 240_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const runOf = (page: Page) => new URL(page.url()).searchParams.get('run')
  const ended = async (page: Page) => {
    await page.waitForURL((url) => url.searchParams.get('run') !== null)
    const read = () => asOperator<RunDetail>(journey, `GET /runs/${runOf(page)}`)
    await expect.poll(async () => (await read()).status, WAIT).toBe('completed')
    return read()
  }

  test(
    'a step of a draft that was never published is tested with typed values, by the keyboard',
    async () => {
      const workflowId = await newWorkflow(journey, 'Greetings', GREETING)
      const window = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=send'),
        { width: 1_440 },
      )
      const { page } = window
      const panel = page.getByRole('complementary', { name: 'Send it' })
      await panel.getByRole('button', { name: 'Test' }).waitFor()
      await switchMouseOff(window)
      await panel.getByRole('button', { name: 'Test' }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Test “Send it”' })
      await dialog.getByRole('heading', { name: 'Has no result' }).waitFor()
      const value = dialog.getByRole('textbox', { name: '{{ upstream.write.output.text }}' })
      await value.focus()
      await page.keyboard.insertText('Hello Eva')
      await dialog.getByRole('heading', { name: 'Takes a stored result' }).waitFor()
      await expectGood(window, 'test-typed-values')
      const start = dialog.getByRole('button', { name: 'Start the test' })
      await expect.poll(() => start.isEnabled(), WAIT).toBe(true)
      await start.focus()
      await page.keyboard.press('Enter')
      const run = await ended(page)
      expect(run).toMatchObject({ isTest: true, versionId: expect.any(String) })
      expect(run.workflowRun?.nodes.map(({ nodeId, seeded }) => [nodeId, seeded?.origin ?? null])).toEqual([
        ['start', null],
        ['write', 'typed'],
        ['send', null],
      ])
      const map = page.getByRole('group', { name: 'Map of the steps' })
      await map.getByRole('button', { name: /^Write a greeting.*took a stored result/ }).waitFor()
      await map.getByRole('button', { name: /^Send it.*completed/ }).waitFor()
      await page.getByText('Test', { exact: true }).first().waitFor()
      await expectGood(window, 'test-on-the-map')
      expect((await storedWorkflow(journey, workflowId)).deployment).toBeNull()
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a failed run is repaired from its failed step on the mended draft',
    async () => {
      const workflowId = await publishedWorkflow(journey, 'Orders', ORDERS)
      const started = await asOperator<{ executionId: string }>(
        journey,
        `POST /workflows/${workflowId}/runs`,
        {
          payload: ORDERS_OF_A_DAY,
        },
      )
      const read = () => asOperator<RunDetail>(journey, `GET /runs/${started.executionId}`)
      await expect.poll(async () => (await read()).status, WAIT).toBe('failed')
      // The third order has no price; the mended step takes its size.
      const node = step('price', 'Take the price', {
        parentId: 'each',
        config: { rows: [{ name: 'price', value: '{{ loop.item.size }}' }] },
      })
      const { draftRevision } = await storedWorkflow(journey, workflowId)
      await asOperator(journey, `POST /workflows/${workflowId}/draft`, {
        draftRevision,
        changes: [{ put: { node } }],
      })

      const window = await journey.open(
        await journey.person('member', 'Eva'),
        `/o/${journey.slug}/runs/${started.executionId}`,
        { width: 1_440 },
      )
      const { page } = window
      const rerun = page.getByRole('link', { name: 'Rerun from the failed step' })
      await rerun.waitFor()
      await switchMouseOff(window)
      await rerun.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Test “Take the price”' })
      expect(await dialog.getByRole('radio', { name: /^From a step on/ }).isChecked()).toBe(true)
      await dialog.getByText('Take the price, in the chosen iteration', { exact: false }).first().waitFor()
      const start = dialog.getByRole('button', { name: 'Start the test' })
      await expect.poll(() => start.isEnabled(), WAIT).toBe(true)
      await expectGood(window, 'test-from-failed-step')
      await start.focus()
      await page.keyboard.press('Enter')
      const run = await ended(page)
      expect(run.workflowRun?.test?.scope).toEqual({ kind: 'from', nodeId: 'price', path: 'each[2]' })
      await page.getByRole('button', { name: /^Send the list.*completed/ }).waitFor()
      expect(await focused(page).count()).toBe(1)
      await window.context.close()
    },
    PATIENCE_MS,
  )
})

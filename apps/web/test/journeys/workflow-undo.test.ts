import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { edge, step } from './orders-graph.ts'
import { newWorkflow, nodesOf, renameStep, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** A pinned step that the last one reads. */
const REFERRED = {
  nodes: [
    { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
    step('greet', 'Greet', { config: { rows: [{ name: 'text', value: 'Hello' }] } }),
    step('last', 'Last', { config: { rows: [{ name: 'end', value: '{{ upstream.greet.output.text }}' }] } }),
  ],
  edges: [edge('start', 'greet'), edge('greet', 'last')],
}

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('undone changes of a draft', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const namesOf = async (workflowId: string) =>
    nodesOf(await storedWorkflow(journey, workflowId)).map(({ name }) => name)

  test(
    'after a reload and after a colleague’s save, whose change stays',
    async () => {
      const workflowId = await newWorkflow(journey, 'Taken back')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=pay&edit=1'),
      )
      const panel = page.getByRole('complementary')
      await panel.getByRole('textbox', { name: 'Name of the step' }).fill('Pay twice')
      await page.getByRole('button', { name: 'Undo last change: ' }).waitFor()
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await expect.poll(() => namesOf(workflowId)).toEqual(['Start'])
      await renameStep(journey, workflowId, 'start', 'Begin')
      await page.reload()
      await page.getByRole('row', { name: 'Begin' }).waitFor()

      await page.getByRole('button', { name: 'Undo last change: Remove Pay twice' }).click()
      await expect.poll(() => namesOf(workflowId)).toEqual(['Begin', 'Pay twice'])
      await page.getByRole('row', { name: 'Pay twice' }).waitFor()
      // In a field the key is the field's own; outside it, it undoes the change of the draft.
      await page.getByRole('button', { name: 'Undo last change: ' }).focus()
      await page.keyboard.press('Control+z')
      await expect.poll(() => namesOf(workflowId)).toEqual(['Begin', 'Pay'])
      await page.getByText('Undone: ').first().waitFor()
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('Control+Shift+z')
      await expect.poll(() => namesOf(workflowId)).toEqual(['Begin', 'Pay twice'])
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'twenty changes by keys are reverted by keys after a reload',
    async () => {
      const workflowId = await newWorkflow(journey, 'Twenty changes')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?view=outline'),
      )
      await page.getByRole('button', { name: 'More commands' }).waitFor()
      for (let change = 1; change <= 20; change += 1) {
        await page.getByRole('row', { name: 'Pay' }).first().focus()
        await page.keyboard.press('n')
        await page
          .getByRole('row', { name: /^Note/ })
          .nth(change - 1)
          .waitFor()
      }
      await expect.poll(async () => (await namesOf(workflowId)).length, { timeout: 30_000 }).toBe(22)
      await page.reload()
      const undo = page.getByRole('button', { name: 'Undo last change: Add a note' })
      await undo.waitFor()
      for (let change = 0; change < 20; change += 1) await page.keyboard.press('Control+z')
      await undo.waitFor({ state: 'detached' })
      await expect.poll(() => namesOf(workflowId), { timeout: 30_000 }).toEqual(['Start', 'Pay'])
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a colleague’s later change stays, and the undo reports it',
    async () => {
      const workflowId = await newWorkflow(journey, 'Touched since')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=pay&edit=1'),
      )
      const panel = page.getByRole('complementary')
      await panel.getByRole('textbox', { name: 'Name of the step' }).fill('Mine')
      await expect.poll(() => namesOf(workflowId)).toEqual(['Start', 'Mine'])
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await renameStep(journey, workflowId, 'pay', 'Theirs')
      await page.getByRole('row', { name: 'Theirs' }).waitFor()
      await page.getByRole('button', { name: 'Undo last change: ' }).click()
      await page.getByText('cannot be undone: it has changed since then').waitFor()
      expect(await namesOf(workflowId)).toEqual(['Start', 'Theirs'])
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'by a notice that names references to the removed steps, on the canvas and in the list, by key and pointer',
    async () => {
      const workflowId = await newWorkflow(journey, 'Referred to', REFERRED)
      await asOperator(journey, `PUT /workflows/${workflowId}/pins/greet`, { output: { text: 'Hello' } })
      const window = await journey.open(await journey.person('member'), workflowPath(journey, workflowId), {
        width: 1_440,
      })
      const { page } = window
      const idsOf = async () => nodesOf(await storedWorkflow(journey, workflowId)).map(({ id }) => id)
      const isTold = async () => {
        await expect.poll(idsOf).toEqual(['start', 'last'])
        await page
          .getByText(
            'Its tokens have lost their source in Last. Its pinned output goes with it. Undo brings it back.',
          )
          .waitFor()
      }
      const takeBack = async () => {
        await page.getByRole('button', { name: 'Undo', exact: true }).click()
        await page.getByText('Greet is back in the draft').first().waitFor()
        await expect.poll(async () => (await idsOf()).length).toBe(3)
      }
      const row = page.getByRole('row', { name: /^Greet, pinned/ })
      await row.focus()
      await page.keyboard.press('Delete')
      await isTold()
      await expectGood(window, 'removal-notice')
      await takeBack()
      await row.and(page.locator(':focus')).waitFor()
      await row.click()
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await isTold()
      await takeBack()

      await page.goto(journey.url + workflowPath(journey, workflowId, '?view=map'))
      const step = page.getByRole('button', { name: /^Greet, .*pinned/ })
      await step.focus()
      await page.keyboard.press('Delete')
      await isTold()
      await expectGood(window, 'removal-notice-canvas')
      await takeBack()
      await step.and(page.locator(':focus')).waitFor()
      await step.click()
      await page.getByRole('button', { name: 'Remove', exact: true }).first().click()
      await isTold()
      await takeBack()
      const pins = await asOperator<{ data: { nodeId: string }[] }>(
        journey,
        `GET /workflows/${workflowId}/pins`,
      )
      expect(pins.data.map(({ nodeId }) => nodeId)).toEqual(['greet'])
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS * 2,
  )
})

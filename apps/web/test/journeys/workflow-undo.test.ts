import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { newWorkflow, nodesOf, renameStep, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** A page that is slow to answer on a loaded machine is no failure of what it shows. */
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
      // In a field the key is the field's own; outside of it, it takes the change of the draft back.
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
      await page.getByText('cannot be undone: it was changed since').waitFor()
      expect(await namesOf(workflowId)).toEqual(['Start', 'Theirs'])
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

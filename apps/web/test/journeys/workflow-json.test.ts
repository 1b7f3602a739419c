import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from './held-calls.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import {
  newWorkflow,
  nodesOf,
  PAY_GRAPH,
  renameStep,
  storedWorkflow,
  workflowPath,
} from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

/** Runs in the page: styles that only the editor's own style sheet has. */
const STYLES_OF_EDITOR = `(() => {
  const editor = document.querySelector('.cm-editor')
  const content = editor.querySelector('.cm-content')
  const tokens = [...content.querySelectorAll('.cm-line span')].map((token) => getComputedStyle(token).color)
  return {
    display: getComputedStyle(editor).display,
    space: getComputedStyle(content).whiteSpace,
    colors: new Set([...tokens, getComputedStyle(content).color]).size,
  }
})()`

describe.skipIf(CHROMIUM === null)('the draft of a workflow as JSON', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test(
    'input into its JSON during a save stays, and is saved by the next one; a second press sends nothing',
    async () => {
      const workflowId = await newWorkflow(journey, 'Typed on')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?view=json'),
      )
      const field = page.getByRole('textbox', { name: 'Draft' })
      await field.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(JSON.stringify(PAY_GRAPH).replace('"Pay"', '"Paid"'))
      const saving = await hold(page, 'POST', /\/draft$/)
      await page.keyboard.press('Control+s')
      await expect.poll(() => saving.held.length).toBe(1)
      await page.keyboard.press('Control+s')
      await page.keyboard.press('Control+End')
      await page.keyboard.type(' ')
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('\n')
      expect(saving.held).toHaveLength(1)
      await saving.release()
      await page.getByText('Saved to the draft').first().waitFor()
      await page.getByText('Not saved', { exact: true }).waitFor()
      expect(nodesOf(await storedWorkflow(journey, workflowId)).map(({ name }) => name)).toEqual([
        'Start',
        'Paid',
      ])

      await field.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(JSON.stringify(PAY_GRAPH).replace('"Pay"', '"Paid twice"'))
      await page.getByRole('button', { name: 'Save to draft' }).click()
      await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' })
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(nodesOf(await storedWorkflow(journey, workflowId)).map(({ name }) => name)).toEqual([
        'Start',
        'Paid twice',
      ])
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'Back from another workflow shows the input of this one, and saving it leaves the other alone',
    async () => {
      const [first, second] = [await newWorkflow(journey, 'First'), await newWorkflow(journey, 'Second')]
      const pathOf = (id: string) => workflowPath(journey, id, '?view=json')
      const { page, faults } = await journey.open(await journey.person('member'), pathOf(first))
      const field = page.getByRole('textbox', { name: 'Draft' })
      await field.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(JSON.stringify(PAY_GRAPH).replace('"Pay"', '"Of the first"'))
      await page.getByText('Not saved', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Workflows' }).first().click()
      await page.getByRole('link', { name: 'Second' }).click()
      await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
      await page.goBack()
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
      await field.getByText('Of the first').waitFor()
      await page.getByRole('button', { name: 'Save to draft' }).click()
      await page.getByText('Saved to the draft').first().waitFor()
      expect(nodesOf(await storedWorkflow(journey, first))[1]?.name).toBe('Of the first')
      expect(nodesOf(await storedWorkflow(journey, second))[1]?.name).toBe('Pay')
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'its editor has its styles under the policy of production',
    async () => {
      const workflowId = await newWorkflow(journey, 'Styled')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?view=json'),
      )
      await page.getByRole('textbox', { name: 'Draft' }).waitFor()
      const styles = await page.evaluate<{ display: string; space: string; colors: number }>(STYLES_OF_EDITOR)
      expect(styles).toMatchObject({ display: 'flex', space: expect.stringMatching(/^(pre|break-spaces)/) })
      expect(styles.colors).toBeGreaterThan(1)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'undo reverts local input, and never a colleague’s save',
    async () => {
      const workflowId = await newWorkflow(journey, 'Undone')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?view=json'),
      )
      const field = page.getByRole('textbox', { name: 'Draft' })
      await field.click()
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('\n')
      await page.getByRole('button', { name: 'Save to draft' }).click()
      await page.getByText('Saved to the draft').first().waitFor()
      await renameStep(journey, workflowId, 'pay', 'By a colleague')
      await field.getByText('By a colleague').waitFor()
      await field.click()
      await page.keyboard.press('Control+z')
      await page.keyboard.press('Control+z')
      await field.getByText('By a colleague').waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

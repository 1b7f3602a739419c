import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchMouseOff } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { newWorkflow, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 120_000
const WAIT = { timeout: 20_000, interval: 100 }
/** A command, an answer to a question, or a text that is typed is one step of the user. */
const MOST_STEPS = 30

const START = {
  nodes: [{ id: 'start', type: 'manual-trigger', name: 'Start', config: {} }],
  edges: [],
}
/** A question is classified, answered for its class, and reviewed by a person before it is sent. */
const TRIAGE = [
  'ai-prompt out human-review',
  'ai-prompt-2 out human-review',
  'classify billing ai-prompt',
  'classify technical ai-prompt-2',
  'start out classify',
]

/** One way to build: each function returns the number of steps that the user takes. */
interface Hands {
  add(after: string, type: string, output?: { id: string; word: string }): Promise<number>
  connect(from: string, to: string, output?: { id: string; word: string }): Promise<number>
  duplicate(name: string): Promise<number>
  /** Opens the fields of a step, and saves what `fill` has typed. */
  configure(name: string, fill: (panel: Locator) => Promise<number>): Promise<number>
}

describe.skipIf(CHROMIUM === null)('a support triage, from a trigger to a review', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const waysOf = async (workflowId: string) => {
    const { draft } = await storedWorkflow(journey, workflowId)
    const { edges } = draft as { edges: { source: string; sourceHandle: string; target: string }[] }
    return edges.map(({ source, sourceHandle, target }) => `${source} ${sourceHandle} ${target}`).sort()
  }
  const opened = async (name: string) => {
    const workflowId = await newWorkflow(journey, name, START)
    const window = await journey.open(
      await journey.person('member'),
      workflowPath(journey, workflowId, '?view=map'),
      { width: 1_440 },
    )
    const { page } = window
    const map = page.getByRole('group', { name: 'Map of the steps' })
    const step = (text: string) => map.getByRole('button', { name: new RegExp(`^${text},`) })
    await step('Start').waitFor()
    return { workflowId, window, page, step }
  }

  /** Types a choice and takes the first one. */
  const answer = async (page: Page, question: string | RegExp, text: string) => {
    await page.getByRole('dialog', { name: question }).getByRole('searchbox').fill(text)
    await page.keyboard.press('Enter')
  }

  const build = async (hands: Hands) => {
    let steps = await hands.add('Start', 'Classify')
    steps += await hands.configure('Classify', async (panel) => {
      await panel.getByRole('textbox', { name: 'Text', exact: true }).fill('{{ trigger.message }}')
      const classes = panel.getByRole('group', { name: 'Classes' })
      for (const [index, name] of ['billing', 'technical'].entries()) {
        await classes.getByRole('button', { name: 'Add', exact: true }).press('Enter')
        await classes.getByRole('textbox', { name: 'Name', exact: true }).nth(index).fill(name)
        // The id follows from the name.
        await panel.page().keyboard.press('Tab')
        await expect
          .poll(() => classes.getByRole('textbox', { name: 'Id of the branch' }).nth(index).inputValue())
          .toBe(name)
      }
      return 5
    })
    steps += await hands.add('Classify', 'AI Prompt', { id: 'billing', word: 'billing' })
    steps += await hands.configure('AI Prompt', async (panel) => {
      await panel.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Answer: {{ trigger.message }}')
      return 1
    })
    steps += await hands.duplicate('AI Prompt')
    steps += await hands.connect('Classify', 'AI Prompt 2', { id: 'technical', word: 'technical' })
    steps += await hands.add('AI Prompt', 'Human Review')
    steps += await hands.connect('AI Prompt 2', 'Human Review')
    return steps
  }

  test(
    'it is built by the keyboard alone in at most 30 steps, without JSON',
    async () => {
      const { workflowId, window, page, step } = await opened('Triage by keys')
      await switchMouseOff(window)
      const steps = await build({
        add: async (after, type, output) => {
          await step(after).focus()
          await page.keyboard.press('a')
          if (output) await answer(page, /Which output/, output.word)
          await answer(page, 'Which step?', type)
          await step(type).and(page.locator(':focus')).waitFor()
          return output ? 3 : 2
        },
        connect: async (from, to, output) => {
          await step(from).focus()
          await page.keyboard.press('c')
          if (output) await answer(page, /Which output/, output.word)
          await answer(page, /to which step/, to)
          await expect.poll(() => page.getByRole('dialog').count(), WAIT).toBe(0)
          return output ? 3 : 2
        },
        duplicate: async (name) => {
          await step(name).focus()
          await page.keyboard.press('d')
          await step(`${name} 2`).waitFor()
          return 1
        },
        configure: async (name, fill) => {
          await step(name).focus()
          await page.keyboard.press('Enter')
          const panel = page.getByRole('complementary', { name })
          await panel.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
          const filled = await fill(panel)
          await panel.getByRole('button', { name: 'Close editor' }).press('Enter')
          await panel.getByRole('button', { name: 'Edit', exact: true }).waitFor()
          return filled + 3
        },
      })
      await expect.poll(() => waysOf(workflowId), WAIT).toEqual(TRIAGE)
      await expectGood(window, 'a triage that was built by keys')
      console.log(`The triage by keyboard: ${steps} steps`)
      expect(steps).toBeLessThanOrEqual(MOST_STEPS)
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'it is built by the mouse in at most 30 steps, without JSON',
    async () => {
      const { workflowId, window, page, step } = await opened('Triage by mouse')
      const middle = async (element: Locator) => {
        const box = await element.boundingBox()
        if (!box) throw new Error('not on the page')
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      }
      const portOf = async (name: string, handle: string) => {
        await page.getByRole('button', { name: 'Show everything' }).click()
        await step(name).hover()
        const id = await step(name).getAttribute('data-step')
        const port = page.locator(`[data-step-of="${id}"][data-port="${handle}"]`)
        await port.waitFor()
        return middle(port)
      }
      const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
        await page.mouse.move(from.x, from.y)
        await page.mouse.down()
        await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 })
        await page.mouse.move(to.x, to.y, { steps: 3 })
        await page.mouse.up()
      }
      const choose = async (type: string) => {
        const dialog = page.getByRole('dialog', { name: 'Which step?' })
        await dialog.getByRole('searchbox').fill(type)
        await dialog
          .getByRole('option')
          .or(dialog.getByRole('menuitem'))
          .filter({ hasText: type })
          .first()
          .click()
      }
      const steps = await build({
        add: async (after, type, output) => {
          const from = await portOf(after, output?.id ?? 'out')
          await drag(from, { x: from.x + 12, y: from.y + 40 })
          await choose(type)
          await step(type).waitFor()
          return 2
        },
        connect: async (from, to, output) => {
          const start = await portOf(from, output?.id ?? 'out')
          await drag(start, await middle(step(to)))
          return 1
        },
        duplicate: async (name) => {
          await step(name).click()
          await page.getByRole('button', { name: 'More commands' }).click()
          await page.getByRole('menuitem', { name: /^Duplicate/ }).click()
          await step(`${name} 2`).waitFor()
          return 3
        },
        configure: async (name, fill) => {
          await step(name).click()
          const panel = page.getByRole('complementary', { name })
          await panel.getByRole('button', { name: 'Edit', exact: true }).click()
          const filled = await fill(panel)
          await panel.getByRole('button', { name: 'Close editor' }).click()
          await panel.getByRole('button', { name: 'Edit', exact: true }).waitFor()
          return filled + 3
        },
      })
      await expect.poll(() => waysOf(workflowId), WAIT).toEqual(TRIAGE)
      console.log(`The triage by mouse: ${steps} steps`)
      expect(steps).toBeLessThanOrEqual(MOST_STEPS)
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchMouseOff } from '../browser.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { edge, isEqual, step } from './orders-graph.ts'
import { newWorkflow, workflowPath } from './workflow-steps.ts'

/** Some fifty keys in each view, on a loaded machine. */
const PATIENCE_MS = 300_000

const GRAPH = {
  nodes: [
    { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
    { id: 'choice', type: 'if-else', name: 'Choice', config: isEqual('1', '1') },
    step('yes', 'Yes'),
    step('no', 'No'),
    { id: 'each', type: 'loop', name: 'Each', config: { mode: 'count', count: 2 } },
    step('inner', 'Inner', { parentId: 'each' }),
    step('end', 'End'),
  ],
  edges: [
    edge('start', 'choice'),
    edge('choice', 'yes', 'true'),
    edge('choice', 'no', 'false'),
    edge('yes', 'each'),
    edge('each', 'inner', 'body'),
    edge('each', 'end', 'done'),
  ],
}

interface Press {
  /** The command in the table of the guide. */
  command: string
  key: string
  /** The step with the focus. */
  at: string
  /** Input of the command's prompt. */
  answer?: string
  /** The change that can be undone afterwards. */
  makes: string
}

/** In both views. */
const PRESSES: readonly Press[] = [
  { command: 'Add a step after it', key: 'a', at: 'Yes', answer: 'Classify', makes: 'Add Classify' },
  {
    command: 'Insert a step before it',
    key: 'Shift+A',
    at: 'Yes',
    answer: 'Classify',
    makes: 'Insert Classify',
  },
  { command: 'Connect to a step', key: 'c', at: 'No', answer: 'End', makes: 'Connect No' },
  { command: 'Remove a connection', key: 'Shift+C', at: 'No', makes: 'Remove a connection' },
  { command: 'Add a trigger', key: 't', at: 'Start', answer: 'Recurrence', makes: 'Add Recurrence' },
  { command: 'Add a note', key: 'n', at: 'Yes', makes: 'Add a note' },
  { command: 'Change its type', key: 'y', at: 'Yes', answer: 'AI Prompt', makes: 'Change Yes to AI Prompt' },
  { command: 'Duplicate', key: 'd', at: 'Yes', makes: 'Duplicate Yes' },
  { command: 'Disable or enable', key: 'Shift+D', at: 'Yes', makes: 'Disable Yes' },
  { command: 'Remove', key: 'Delete', at: 'Yes', makes: 'Remove Yes' },
  { command: 'Wrap in a Loop', key: 'w', at: 'Yes', makes: 'Wrap Yes in a Loop' },
  { command: 'Unwrap the Loop', key: 'Shift+W', at: 'Each', makes: 'Unwrap Each' },
  {
    command: 'Move into a Loop or out of it',
    key: 'i',
    at: 'Inner',
    answer: 'Outside',
    makes: 'Move Inner to another level',
  },
  { command: 'Move earlier', key: 'Alt+ArrowUp', at: 'Each', makes: 'Move Each earlier' },
  { command: 'Move later', key: 'Alt+ArrowDown', at: 'Yes', makes: 'Move Yes later' },
  { command: 'Cut', key: 'Control+x', at: 'No', makes: 'Cut No' },
  // Pastes the step that was cut.
  { command: 'Paste', key: 'Control+v', at: 'Yes', makes: 'Paste 1 step' },
]

/** The tests below press these too. */
const ELSEWHERE = ['Copy', 'Undo', 'Redo', 'Align (canvas)', 'Tidy up (canvas)']
const ON_CANVAS = [
  'Select the step',
  'Select all steps',
  'Move with the arrow keys',
  'Collapse or expand the Loop',
  'Zoom in',
  'Zoom out',
  'Show everything',
  'Show the step at its own size',
]

test('every key in the guide works', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guides/editor.md'), 'utf8')
  const [, keys = ''] = guide.split('## Keys')
  const rows = [...(keys.split('\n## ')[0] ?? '').matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, title]) => title)
  const listed = rows.filter((title) => title !== 'Command')
  const pressed = [...PRESSES.map(({ command }) => command), ...ELSEWHERE, ...ON_CANVAS]
  expect(listed.toSorted()).toEqual(pressed.toSorted())
})

describe.skipIf(CHROMIUM === null)('the keys of the editor', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const opened = async (view: 'map' | 'outline') => {
    const workflowId = await newWorkflow(journey, `Keys of ${view}`, GRAPH)
    const path = workflowPath(journey, workflowId, `?view=${view}`)
    const window = await journey.open(await journey.person('member'), path, { width: 1_440 })
    await switchMouseOff(window)
    return window
  }
  const undoOf = (page: Page, label: string) =>
    page.getByRole('button', { name: `Undo last change: ${label}`, exact: true })

  /** Presses each key, and undoes its change by keys. */
  const pressAll = async (page: Page, stepNamed: (name: string) => Locator) => {
    for (const { key, at, answer, makes } of PRESSES) {
      await stepNamed(at).focus()
      await page.keyboard.press(key)
      if (answer !== undefined) {
        await page.getByRole('dialog').getByRole('searchbox').fill(answer)
        await page.keyboard.press('Enter')
      }
      await undoOf(page, makes).waitFor()
      await page.keyboard.press('Control+z')
      await undoOf(page, makes).waitFor({ state: 'detached' })
      await stepNamed(at).waitFor()
    }
    await stepNamed('Yes').focus()
    await page.keyboard.press('d')
    await undoOf(page, 'Duplicate Yes').waitFor()
    await page.keyboard.press('Control+z')
    await undoOf(page, 'Duplicate Yes').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Shift+z')
    await undoOf(page, 'Duplicate Yes').waitFor()
    await page.keyboard.press('Control+z')
    await stepNamed('Yes').focus()
    await page.keyboard.press('Control+c')
    await page.getByText('Copied 1 step').first().waitFor()
  }

  test(
    'each has the effect in the guide on a row of the list, and undo reverts it',
    async () => {
      const { page, faults } = await opened('outline')
      await page.getByRole('button', { name: 'More commands' }).waitFor()
      await pressAll(page, (name) =>
        page.getByRole('row', { name: new RegExp(`^(Then )?${name}(,|$)`) }).first(),
      )
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'each has the effect in the guide on the canvas, and undo reverts it',
    async () => {
      const { page, faults } = await opened('map')
      const map = page.getByRole('group', { name: 'Map of the steps' })
      const stepNamed = (name: string) => map.getByRole('button', { name: new RegExp(`^${name},`) })
      await pressAll(page, stepNamed)

      const press = async (at: string, key: string) => {
        await stepNamed(at).focus()
        await page.keyboard.press(key)
      }
      // Keys of the workflow itself: X selects, Shift L aligns, L tidies up.
      await press('Yes', 'x')
      await press('No', 'x')
      await page.getByText('2 steps selected').first().waitFor()
      await page.keyboard.press('Shift+L')
      await page.getByRole('dialog', { name: 'Align how?' }).getByRole('searchbox').fill('Left')
      await page.keyboard.press('Enter')
      await undoOf(page, 'Align 2 steps').waitFor()
      await press('Yes', 'l')
      await undoOf(page, 'Tidy up').waitFor()
      await page.keyboard.press('Control+a')
      await page.getByText('7 steps selected').first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('7 steps selected').waitFor({ state: 'detached' })

      const placeOf = async () => (await stepNamed('End').boundingBox()) ?? { x: 0, y: 0 }
      await press('End', 'm')
      const before = await placeOf()
      await page.keyboard.press('ArrowRight')
      await expect.poll(async () => (await placeOf()).x).toBeGreaterThan(before.x)
      const small = (await placeOf()).x - before.x
      await page.keyboard.press('Shift+ArrowRight')
      await expect.poll(async () => (await placeOf()).x - before.x).toBeGreaterThan(3 * small)
      await page.keyboard.press('Escape')
      await expect.poll(async () => (await placeOf()).x).toBeCloseTo(before.x, 0)
      await press('End', 'm')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await undoOf(page, 'Move End').waitFor()

      await press('Each', 'f')
      await stepNamed('Inner').waitFor({ state: 'detached' })
      await press('Each', 'f')
      await stepNamed('Inner').waitFor()

      const widthOf = async () => (await stepNamed('End').boundingBox())?.width ?? 0
      const width = await widthOf()
      await press('End', '+')
      await expect.poll(widthOf).toBeGreaterThan(width * 1.1)
      await press('End', '-')
      await expect.poll(widthOf).toBeCloseTo(width, 0)
      await press('End', '2')
      await expect.poll(widthOf).not.toBeCloseTo(width, 0)
      const own = await widthOf()
      await press('End', '1')
      await expect.poll(widthOf).not.toBeCloseTo(own, 0)

      // Shift with an arrow pans, an arrow alone goes along a connection, Enter opens.
      const place = await placeOf()
      await press('Start', 'Shift+ArrowRight')
      await expect.poll(async () => (await placeOf()).x).not.toBeCloseTo(place.x, 0)
      await press('Start', 'ArrowDown')
      await stepNamed('Choice').and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('complementary', { name: 'Choice' }).waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

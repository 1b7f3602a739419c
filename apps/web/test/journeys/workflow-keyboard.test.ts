import type { BuilderWorkflow } from '@troupe/contract/builder'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { switchMouseOff } from '../browser.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'

const PATIENCE_MS = 120_000
const NODES = 5_000
/** Generous: such a page in other products froze for more than a minute. */
const CEILINGS = { firstRowsMs: 10_000, longestTaskMs: 2_000 }

/** Runs in the page before it: the longest time in which it did nothing else, in milliseconds. */
const WATCH_TASKS = `
  window.longestTask = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longestTask = Math.max(window.longestTask, duration)
  }).observe({ type: 'longtask', buffered: true })`

describe.skipIf(CHROMIUM === null)('a workflow by the keyboard alone, and a large one', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const call = <Body>(target: string, body?: object) => asOperator<Body>(journey, target, body)
  const namesOf = async (workflowId: string) => {
    const { draft } = await call<BuilderWorkflow>(`GET /workflows/${workflowId}`)
    return (draft.nodes as { name: string }[]).map(({ name }) => name)
  }

  test(
    'it is created, a step is added, named, removed and restored, and it is published without the mouse',
    async () => {
      const window = await journey.open(await journey.person('admin'), `/o/${journey.slug}/workflows`)
      const { page, faults } = window
      await switchMouseOff(window)
      await page.getByRole('button', { name: 'New workflow' }).first().waitFor()
      await page.keyboard.press('c')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Name' }).fill('By hand')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor()
      const workflowId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      const [first = ''] = await namesOf(workflowId)

      // Along the steps with the arrows; Enter reads one.
      // On a wide window a new workflow opens on the canvas.
      await page.getByRole('radio', { name: 'Steps' }).press('Enter')
      const steps = page.getByRole('treegrid', { name: 'Steps' })
      await steps.getByRole('row').first().focus()
      await page.keyboard.press('End')
      await page.keyboard.press('Home')
      await page.keyboard.press('Enter')
      await page.getByRole('complementary', { name: first }).waitFor()
      await page.getByRole('button', { name: 'Add step' }).press('Enter')
      await dialog.getByRole('searchbox').and(page.locator(':focus')).waitFor()
      await page.keyboard.type('Edit Fields')
      await page.keyboard.press('Enter')
      const panel = page.getByRole('complementary')
      const name = panel.getByRole('textbox', { name: 'Name of the step' })
      await name.and(page.locator(':focus')).waitFor()
      // Nothing was typed, so nothing is missing yet.
      expect(await panel.getByText(/at least one|Fill this in|Choose one\./).count()).toBe(0)
      await page.keyboard.press('Control+a')
      await page.keyboard.type('Written by keys')
      await panel.getByRole('button', { name: 'Add', exact: true }).press('Enter')
      await panel.getByRole('textbox', { name: 'Field' }).and(page.locator(':focus')).waitFor()
      await page.keyboard.type('answer')
      await panel.getByRole('textbox', { name: 'Value' }).fill('42')
      await page.keyboard.press('Control+s')
      await expect.poll(() => namesOf(workflowId)).toContain('Written by keys')
      await panel.getByRole('button', { name: 'Close editor' }).press('Enter')
      // The keyboard focus continues where the step is read.
      await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Edit')

      await page.keyboard.press('Enter')
      await name.and(page.locator(':focus')).waitFor()
      await panel.getByRole('button', { name: 'Close editor' }).press('Enter')
      await panel.getByRole('button', { name: 'Close', exact: true }).press('Enter')
      const row = page.getByRole('row', { name: 'Written by keys' })
      await row.and(page.locator(':focus')).waitFor()
      expect(await row.textContent()).toContain('Written by keys, Edit Fields')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
      await steps.getByRole('row').first().and(page.locator(':focus')).waitFor()
      await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
      await row.and(page.locator(':focus')).waitFor()
      await page.getByRole('tab', { name: 'Editor' }).focus()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('tab', { name: 'Publish' }).press('Enter')
      const publish = page.getByRole('button', { name: 'Publish version 1' })
      // The restored step is saved and checked first.
      await expect.poll(() => publish.isEnabled()).toBe(true)
      await publish.press('Enter')

      await expect
        .poll(async () => (await call<BuilderWorkflow>(`GET /workflows/${workflowId}`)).deployment)
        .not.toBeNull()
      const done = page.getByRole('heading', { name: 'The draft is published' })
      await done.and(page.locator(':focus')).waitFor()

      await page.goto(`${journey.url}/o/${journey.slug}/workflows`)
      await page.getByRole('button', { name: 'Actions for By hand' }).press('Enter')
      await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter')
      await page.getByRole('alertdialog').getByRole('textbox').fill('By hand')
      await page.getByRole('button', { name: 'Delete workflow' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Workflows' }).and(page.locator(':focus')).waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'on a narrow window the arrows only move along the steps: Enter opens one',
    async () => {
      const nodes = ['First', 'Second'].map((name) => ({
        id: name.toLowerCase(),
        type: name === 'First' ? 'manual-trigger' : 'note',
        name,
        config: {},
      }))
      const { workflowId } = await call<BuilderWorkflow>('POST /workflows', {
        name: 'Narrow',
        draft: {
          nodes: [...nodes, { id: 'third', type: 'edit-fields', name: 'Third', config: { rows: [] } }],
          edges: [{ id: 'e', source: 'first', target: 'third' }],
        },
      })
      const { page, faults } = await journey.open(
        await journey.person('member'),
        `/o/${journey.slug}/workflows/${workflowId}`,
      )
      await page.setViewportSize({ width: 800, height: 700 })
      const steps = page.getByRole('treegrid', { name: 'Steps' })
      await steps.getByRole('row').first().focus()
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toContain('Third')
      expect(new URL(page.url()).searchParams.get('node')).toBeNull()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.keyboard.press('Enter')
      const sheet = page.getByRole('dialog', { name: 'Third' })
      await sheet.waitFor()
      // Back closes the step, not the workflow.
      await page.goBack()
      await sheet.waitFor({ state: 'detached' })
      await page.getByRole('heading', { level: 1, name: 'Narrow' }).waitFor()
      await page.keyboard.press('Enter')
      await page.setViewportSize({ width: 800, height: 320 })
      await sheet.getByRole('button', { name: 'Edit' }).press('Enter')
      const name = sheet.getByRole('textbox', { name: 'Name of the step' })
      await name.and(page.locator(':focus')).waitFor()
      // The form is scrolled to its start, however far down the button was.
      await expect.poll(async () => (await name.boundingBox())?.y ?? 0).toBeGreaterThan(60)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test.for(['outline', 'json'])('5,000 nodes are opened as %s without a long pause', {
    timeout: PATIENCE_MS,
  }, async (view) => {
    const nodes = [
      { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
      ...Array.from({ length: NODES - 1 }, (_, index) => ({
        id: `step-${index}`,
        type: 'edit-fields',
        name: `Step ${index}`,
        config: { rows: [{ name: 'n', value: String(index) }] },
      })),
    ]
    const edges = nodes.slice(1).map(({ id }, index) => ({
      id: `e${index}`,
      source: nodes[index]?.id,
      target: id,
    }))
    const { workflowId } = await call<BuilderWorkflow>('POST /workflows', {
      name: `Large as ${view}`,
      draft: { nodes, edges },
    })
    const { page, context, faults } = await journey.open(
      await journey.person('member'),
      `/o/${journey.slug}/workflows`,
    )
    await context.addInitScript(WATCH_TASKS)
    await page.reload()
    await page.getByRole('link', { name: `Large as ${view}` }).waitFor()
    const openedAt = Date.now()
    await page.goto(`${journey.url}/o/${journey.slug}/workflows/${workflowId}?view=${view}`)
    const first =
      view === 'json'
        ? page.getByRole('textbox', { name: 'Draft' })
        : page.getByRole('row', { name: 'Step 3' })
    await first.first().waitFor()
    const firstRowsMs = Date.now() - openedAt
    await page.waitForLoadState('networkidle')
    const longestTaskMs = await page.evaluate<number>('window.longestTask')
    console.log(
      `${NODES} nodes as ${view}: first rows ${firstRowsMs} ms, longest task ${Math.round(longestTaskMs)} ms`,
    )
    expect(firstRowsMs).toBeLessThanOrEqual(CEILINGS.firstRowsMs)
    expect(longestTaskMs).toBeLessThanOrEqual(CEILINGS.longestTaskMs)
    expect(faults).toEqual([])
  })
})

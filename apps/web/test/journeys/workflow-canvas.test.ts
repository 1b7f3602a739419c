import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { edge, isEqual, step } from './orders-graph.ts'
import { newWorkflow, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 120_000
const WAIT = { timeout: 20_000, interval: 100 }

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

interface Node {
  id: string
  name: string
  parentId: string | null
  position: { x: number; y: number }
  config: Record<string, unknown>
  disabled?: boolean
}

describe.skipIf(CHROMIUM === null)('the canvas of a workflow', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const draftOf = async (workflowId: string) => {
    const { draft } = await storedWorkflow(journey, workflowId)
    return draft as { nodes: Node[]; edges: { source: string; sourceHandle: string; target: string }[] }
  }
  const idsOf = async (workflowId: string) => (await draftOf(workflowId)).nodes.map(({ id }) => id)
  const waysOf = async (workflowId: string) =>
    (await draftOf(workflowId)).edges
      .map(({ source, sourceHandle, target }) => `${source} ${sourceHandle} ${target}`)
      .sort()
  const opened = async (name: string, width = 1_440, role: 'member' | 'viewer' = 'member') => {
    const workflowId = await newWorkflow(journey, name, GRAPH)
    const path = workflowPath(journey, workflowId, '?view=map')
    const window = await journey.open(await journey.person(role), path, { width })
    const map = window.page.getByRole('group', { name: 'Map of the steps' })
    await map.getByRole('button', { name: /^Start/ }).waitFor()
    const stepNamed = (text: string) => map.getByRole('button', { name: new RegExp(`^${text},`) })
    return { workflowId, window, page: window.page, map, stepNamed }
  }

  test(
    'steps are selected, dragged with one save, removed, duplicated and brought back',
    async () => {
      const { workflowId, window, page, stepNamed } = await opened('Moved by hand')
      await expectGood(window, 'canvas')
      const saves: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/draft')) saves.push(request.url())
      })
      const before = await middle(stepNamed('End'))
      await drag(page, before, { x: before.x + 160, y: before.y + 40 })
      await expect.poll(() => saves.length, WAIT).toBe(1)
      const after = await middle(stepNamed('End'))
      expect([after.x - before.x, after.y - before.y].map((value) => Math.round(value / 20))).toEqual([8, 2])
      const { nodes } = await draftOf(workflowId)
      const root = nodes.filter(({ parentId }) => parentId === null)
      expect(new Set(root.map(({ position: { x, y } }) => `${x} ${y}`)).size).toBe(root.length)
      expect(nodes.find(({ id }) => id === 'inner')?.position).toEqual({ x: 0, y: 0 })

      await stepNamed('Yes').click()
      await stepNamed('No').click({ modifiers: ['Shift'] })
      await page.getByText('2 steps selected').first().waitFor()
      const [yes, no] = [await middle(stepNamed('Yes')), await middle(stepNamed('No'))]
      await drag(page, yes, { x: yes.x, y: yes.y + 24 })
      await expect
        .poll(async () => Math.round((await middle(stepNamed('No'))).y - no.y), WAIT)
        .toBeGreaterThan(10)
      await stepNamed('No').focus()
      await page.keyboard.press('Delete')
      await expect.poll(() => idsOf(workflowId), WAIT).toEqual(['start', 'choice', 'each', 'inner', 'end'])
      await page.getByRole('button', { name: 'Undo last change: Remove 2 steps' }).click()
      await expect.poll(async () => (await idsOf(workflowId)).length, WAIT).toBe(7)
      await stepNamed('Yes').click()
      await stepNamed('Yes').press('d')
      await stepNamed('Yes 2').waitFor()
      await expect.poll(() => idsOf(workflowId), WAIT).toContain('yes-2')
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a rectangle selects, Escape cancels a drag, and so does leaving the window',
    async () => {
      const { workflowId, window, page, map, stepNamed } = await opened('Left the window')
      const surface = page.locator('[data-map]')
      const box = await surface.boundingBox()
      if (!box) throw new Error('no canvas')
      const [yes, no] = [await middle(stepNamed('Yes')), await middle(stepNamed('No'))]
      await page.keyboard.down('Shift')
      const left = Math.min(yes.x, no.x) - 140
      await drag(page, { x: left, y: yes.y - 40 }, { x: Math.max(yes.x, no.x) + 120, y: yes.y + 10 })
      await page.keyboard.up('Shift')
      await page.getByText('2 steps selected').first().waitFor()
      await page.keyboard.press('Escape')

      const before = await middle(stepNamed('End'))
      await page.mouse.move(before.x, before.y)
      await page.mouse.down()
      await page.mouse.move(before.x + 80, before.y, { steps: 4 })
      await page.keyboard.press('Escape')
      await page.mouse.up()
      expect(Math.round((await middle(stepNamed('End'))).x - before.x)).toBe(0)
      await page.mouse.move(before.x, before.y)
      await page.mouse.down()
      await page.mouse.move(before.x + 40, before.y, { steps: 4 })
      await page.mouse.move(-50, before.y, { steps: 2 })
      await page.mouse.up()
      await expect
        .poll(async () => (await draftOf(workflowId)).nodes.find(({ id }) => id === 'end')?.position.x, WAIT)
        .toBeLessThan(0)
      // It is dropped at the edge of the canvas, where it is visible.
      expect((await middle(stepNamed('End'))).x).toBeGreaterThan(box.x - 10)
      await map.getByRole('button').first().waitFor()
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'handles connect, refuse with an error message, and add a step in the void; a connection takes a step or goes',
    async () => {
      const { workflowId, window, page, stepNamed } = await opened('Connected by hand')
      await stepNamed('No').hover()
      const port = page.locator('[data-step-of="no"][data-port="out"]')
      await port.waitFor()
      const from = await middle(port)
      const choice = await middle(stepNamed('Choice'))
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(choice.x, choice.y, { steps: 5 })
      await page.getByText('This connection would make a cycle').first().waitFor()
      const inner = await middle(stepNamed('Inner'))
      await page.mouse.move(inner.x, inner.y, { steps: 5 })
      await page.getByText('Only steps of the same Loop').first().waitFor()
      const end = await middle(stepNamed('End'))
      await page.mouse.move(end.x, end.y, { steps: 5 })
      await page.getByText('Connects to End').first().waitFor()
      await page.mouse.up()
      await expect.poll(() => waysOf(workflowId), WAIT).toContain('no out end')

      await stepNamed('End').hover()
      const last = page.locator('[data-step-of="end"][data-port="out"]')
      await last.waitFor()
      const at = await middle(last)
      await drag(page, at, { x: at.x + 10, y: at.y + 60 })
      const search = page.getByRole('dialog', { name: 'Which step?' })
      await search.getByRole('searchbox').fill('human')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect.poll(() => waysOf(workflowId), WAIT).toContain('end out human-review')
      const named = page.getByRole('complementary').getByRole('textbox', { name: 'Name of the step' })
      await named.and(page.locator(':focus')).waitFor()
      expect(await named.inputValue()).toBe('Human Review')
      expect(await stepNamed('Human Review 2').count()).toBe(0)

      const [start, next] = [await middle(stepNamed('Start')), await middle(stepNamed('Choice'))]
      await page.mouse.move((start.x + next.x) / 2, (start.y + next.y) / 2)
      await page.getByRole('button', { name: 'Insert a step on this connection' }).click()
      await page.getByRole('dialog', { name: 'Which step?' }).getByRole('searchbox').fill('Edit Fields')
      await page.keyboard.press('Enter')
      await expect.poll(() => waysOf(workflowId), WAIT).toContain('edit-fields out choice')
      await stepNamed('Edit Fields').waitFor()
      const [one, two] = [await middle(stepNamed('Start')), await middle(stepNamed('Edit Fields'))]
      await page.mouse.move((one.x + two.x) / 2, (one.y + two.y) / 2)
      await page.getByRole('button', { name: 'Remove this connection' }).click()
      await expect.poll(() => waysOf(workflowId), WAIT).not.toContain('start out edit-fields')
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a step that is added in the panel comes into view, and the commands apply to it',
    async () => {
      const { workflowId, window, page, map, stepNamed } = await opened('Added in the panel')
      await stepNamed('Choice').click()
      const panel = page.getByRole('complementary')
      // Each new step makes the row of branches wider.
      for (const name of ['AI Prompt', 'AI Prompt 2', 'AI Prompt 3']) {
        await panel.getByRole('heading', { name: 'Choice' }).waitFor()
        await panel.getByRole('button', { name: 'Add step' }).click()
        await page.getByRole('dialog').getByRole('menuitem', { name: 'if false' }).click()
        await page.getByRole('dialog', { name: 'Which step?' }).getByRole('searchbox').fill('AI Prompt')
        await page.keyboard.press('Enter')
        await panel.getByRole('textbox', { name: 'Name of the step' }).waitFor()
        await stepNamed(name).waitFor()
        // Distances to the edges of the canvas, in pixels; none is negative.
        const outside = async () => {
          const [box, frame] = [await stepNamed(name).boundingBox(), await map.locator('..').boundingBox()]
          if (!box || !frame) return 'not shown'
          const gaps = [box.x - frame.x, frame.x + frame.width - box.x - box.width]
          return gaps.filter((gap) => gap < 0)
        }
        await expect.poll(outside, WAIT).toEqual([])
        if (name !== 'AI Prompt 3') await panel.getByRole('button', { name: 'Close', exact: true }).click()
        if (name !== 'AI Prompt 3') await stepNamed('Choice').click()
      }
      await page.getByRole('button', { name: 'Remove', exact: true }).first().click()
      await expect.poll(() => idsOf(workflowId), WAIT).not.toContain('ai-prompt-3')
      expect(await idsOf(workflowId)).toContain('choice')
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'steps are copied into another workflow, missing agents are replaced, and other texts are refused',
    async () => {
      const agentId = '11111111-1111-4111-8111-111111111111'
      const { window, page, stepNamed } = await opened('Copied from')
      await stepNamed('Each').click()
      await stepNamed('End').click({ modifiers: ['Shift'] })
      await page.keyboard.press('Control+c')
      await page.getByText('Copied 3 steps').first().waitFor()

      const other = await newWorkflow(journey, 'Pasted into', {
        nodes: [{ id: 'start', type: 'manual-trigger', name: 'Start', config: {} }],
        edges: [],
      })
      await page.goto(`${journey.url}${workflowPath(journey, other, '?view=map')}`)
      await stepNamed('Start').focus()
      await page.keyboard.press('Control+v')
      await expect.poll(() => idsOf(other), WAIT).toEqual(['start', 'each', 'inner', 'end'])
      expect(await waysOf(other)).toEqual(['each body inner', 'each done end'])
      await page.getByText('2 steps selected').first().waitFor()
      await page.getByRole('button', { name: 'Undo last change: Paste 3 steps' }).click()
      await expect.poll(() => idsOf(other), WAIT).toEqual(['start'])

      const pasted = async (text: string) => {
        await stepNamed('Start').focus()
        await page.evaluate(`{
          const data = new DataTransfer()
          data.setData('text/plain', ${JSON.stringify(text)})
          const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          document.activeElement.dispatchEvent(event)
        }`)
      }
      await pasted('{"nodes":[{"type":"n8n-nodes-base.set"}],"connections":{}}')
      await page.getByText('The clipboard holds no steps').first().waitFor()
      // As n8n copies nodes: a part of its export.
      const set = { name: 'Keep it', type: 'n8n-nodes-base.noOp', parameters: {}, position: [0, 0] }
      const unknown = { name: 'Sheet', type: 'n8n-nodes-base.googleSheets', position: [200, 0] }
      const connections = { 'Keep it': { main: [[{ node: 'Sheet', type: 'main', index: 0 }]] } }
      await pasted(JSON.stringify({ nodes: [set, unknown], connections, pinData: {} }))
      const report = page.getByRole('dialog', { name: 'Pasted from another product' })
      await report.getByText('1 step to replace', { exact: false }).waitFor()
      await expectGood(window, 'report of pasted nodes')
      await report.getByRole('button', { name: 'Close' }).last().click()
      await expect.poll(() => idsOf(other), WAIT).toEqual(['start', 'keep-it', 'sheet', 'about-sheet'])
      // The refusal of the previous paste has ended.
      await page.getByText('The clipboard holds no steps').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /^Undo last change: Paste 3 steps/ }).click()
      await expect.poll(() => idsOf(other), WAIT).toEqual(['start'])
      const ask = { id: 'ask', type: 'ai-agent', name: 'Ask', config: { agentId, message: 'x' } }
      await pasted(JSON.stringify({ troupe: 'graph/1', nodes: [ask], edges: [] }))
      const dialog = page.getByRole('dialog', { name: 'Some agents are not here' })
      await dialog.getByRole('combobox', { name: 'Agent of Ask' }).waitFor()
      await expectGood(window, 'agents of pasted steps')
      await dialog.getByRole('button', { name: 'Paste', exact: true }).click()
      await expect.poll(() => idsOf(other), WAIT).toEqual(['start', 'ask'])
      // The button that shows the canvas keeps the focus, and takes no text.
      await page.getByRole('radio', { name: 'Canvas' }).focus()
      await page.keyboard.press('Control+v')
      await expect.poll(async () => (await idsOf(other)).length, WAIT).toBe(5)
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    '300 steps of another instance are pasted with their agents mapped, and one Undo reverts all of it',
    async () => {
      const helpers: string[] = []
      for (const name of ['Helper of orders', 'Helper of refunds']) {
        helpers.push((await asOperator<{ agentId: string }>(journey, 'POST /agents', { name })).agentId)
      }
      const foreign = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
      const many = Array.from({ length: 300 }, (_, at) =>
        at % 30 === 0
          ? {
              ...{ id: `s${at}`, type: 'ai-agent', name: `Ask ${at}` },
              config: { agentId: helpers[(at / 30) % 2], message: 'x' },
            }
          : step(`s${at}`, `Set ${at}`),
      )
      const from = await newWorkflow(journey, 'Three hundred', {
        nodes: [{ id: 'start', type: 'manual-trigger', name: 'Start', config: {} }, ...many],
        edges: many.map(({ id }, at) => edge(at === 0 ? 'start' : `s${at - 1}`, id)),
      })
      const { window, page, stepNamed } = await opened('Pasted into by 300')
      await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(`${journey.url}${workflowPath(journey, from, '?view=map')}`)
      await stepNamed('Start').focus()
      await page.keyboard.press('Control+a')
      await stepNamed('Start').click({ modifiers: ['Shift'] })
      await page.keyboard.press('Control+c')
      await page.getByText('Copied 300 steps').first().waitFor()
      const copied = await page.evaluate<string>('navigator.clipboard.readText()')
      // Another instance has other ids of its agents.
      const text = foreign.reduce((all, id, at) => all.replaceAll(helpers[at] ?? '', id), copied)
      expect(helpers.some((id) => text.includes(id))).toBe(false)

      const other = await newWorkflow(journey, 'Of this instance', {
        nodes: [{ id: 'start', type: 'manual-trigger', name: 'Start', config: {} }],
        edges: [],
      })
      const before = await draftOf(other)
      await page.goto(`${journey.url}${workflowPath(journey, other, '?view=map')}`)
      await stepNamed('Start').focus()
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
      await page.keyboard.press('Control+v')
      const dialog = page.getByRole('dialog', { name: 'Some agents are not here' })
      const agents = dialog.getByRole('combobox')
      await expect.poll(() => agents.count(), WAIT).toBe(2)
      await expectGood(window, 'agents of 300 pasted steps')
      for (const [at, name] of ['Helper of orders', 'Helper of refunds'].entries()) {
        await agents.nth(at).fill(name)
        await page.getByRole('option', { name: new RegExp(`^${name}`) }).waitFor()
        // An open list hides the other fields.
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.getByRole('option').first().waitFor({ state: 'detached' })
      }
      await dialog.getByRole('button', { name: 'Paste', exact: true }).click()
      await expect.poll(async () => (await idsOf(other)).length, WAIT).toBe(301)
      const { nodes, edges } = await draftOf(other)
      expect(edges).toHaveLength(299)
      const used = nodes.filter(({ name }) => name.startsWith('Ask')).map(({ config }) => config.agentId)
      expect(used).toEqual(Array.from({ length: 10 }, (_, at) => helpers[at % 2]))
      await page.getByText('300 steps selected').first().waitFor()
      await page.getByRole('button', { name: 'Undo last change: Paste 300 steps' }).click()
      await expect.poll(() => idsOf(other), WAIT).toEqual(['start'])
      expect(await draftOf(other)).toEqual(before)
      expect(window.faults).toEqual([])
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'Loops fold for this person and not in the draft, a search opens them, steps are disabled and notes resized',
    async () => {
      const { workflowId, window, page, map, stepNamed } = await opened('Folded')
      const { draftRevision } = await storedWorkflow(journey, workflowId)
      await stepNamed('Each').focus()
      await page.keyboard.press('f')
      await map.getByRole('button', { name: 'Each, Loop, 1 step inside' }).waitFor()
      await expect.poll(() => stepNamed('Inner').count(), WAIT).toBe(0)
      await expectGood(window, 'a folded Loop')
      await page.reload()
      await map.getByRole('button', { name: 'Each, Loop, 1 step inside' }).waitFor()
      expect((await storedWorkflow(journey, workflowId)).draftRevision).toBe(draftRevision)
      await page.getByRole('searchbox', { name: 'Find a step' }).fill('Inner')
      await page.keyboard.press('Enter')
      await stepNamed('Inner').waitFor()
      await page.keyboard.press('Escape')

      await stepNamed('Yes').focus()
      await page.keyboard.press('Shift+D')
      await map.getByRole('button', { name: /^Yes, Edit Fields, disabled/ }).waitFor()
      await expect
        .poll(async () => (await draftOf(workflowId)).nodes.filter(({ disabled }) => disabled), WAIT)
        .toMatchObject([{ id: 'yes' }])
      await page.keyboard.press('n')
      await stepNamed('Note').and(page.locator(':focus')).waitFor()
      await stepNamed('Note').hover()
      const corner = page.locator('[data-corner="note"]')
      const from = await middle(corner)
      await drag(page, from, { x: from.x + 80, y: from.y + 80 })
      await expect
        .poll(
          async () => (await draftOf(workflowId)).nodes.find(({ id }) => id === 'note')?.config.width,
          WAIT,
        )
        .toBeGreaterThan(240)
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test.each(['map', 'outline'])(
    'in the %s, Add step opens the editor of the new step without problems, and a key leaves the focus on the steps',
    async (view) => {
      const workflowId = await newWorkflow(journey, `Added in the ${view}`, GRAPH)
      const path = workflowPath(journey, workflowId, `?view=${view}`)
      const window = await journey.open(await journey.person('member'), path, { width: 1_440 })
      const { page } = window
      const place = (name: string) =>
        view === 'map'
          ? page
              .getByRole('group', { name: 'Map of the steps' })
              .getByRole('button', { name: new RegExp(`^${name},`) })
          : page.getByRole('row', { name: new RegExp(`^${name}(,|$)`) }).first()
      const choose = async (type: string) => {
        await page.getByRole('dialog', { name: 'Which step?' }).getByRole('searchbox').fill(type)
        await page.keyboard.press('Enter')
      }
      const panel = page.getByRole('complementary')
      const findings = panel.getByRole('list', { name: 'Findings' })
      await place('End').click()
      await panel.getByRole('heading', { name: 'End' }).waitFor()
      await page
        .getByRole('button', { name: /^Add (a )?step/ })
        .first()
        .click()
      await choose('AI Prompt')
      await panel.getByRole('textbox', { name: 'Name of the step' }).and(page.locator(':focus')).waitFor()
      expect(await panel.getByText('Fill this in').count()).toBe(0)
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await findings.waitFor()

      await place('AI Prompt').focus()
      await page.keyboard.press('a')
      await choose('Classify')
      await panel.getByRole('heading', { name: 'Classify' }).waitFor()
      await place('Classify').and(page.locator(':focus')).waitFor()
      await place('Classify')
        .getByText(/problem/)
        .first()
        .waitFor()
      expect(await findings.count()).toBe(0)
      await panel.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
      await panel.getByRole('button', { name: 'Close editor' }).press('Enter')
      await findings.waitFor()
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'Add step asks at the pressed button or the focused step, and above it at the foot of the window',
    async () => {
      const { window, page, stepNamed } = await opened('Asks in place')
      const dialog = page.getByRole('dialog', { name: /^Which (step|output of)/ })
      const search = dialog.getByRole('searchbox').and(page.locator(':focus'))
      const boxOf = async (element: Locator) => {
        const place = await element.boundingBox()
        if (place === null) throw new Error('The element is not on the page.')
        const { x, y, width, height } = place
        return { left: x, top: y, right: x + width, bottom: y + height }
      }
      const asked = async (from: Locator) => {
        const anchor = await boxOf(from)
        await search.waitFor()
        return { anchor, popover: await boxOf(dialog) }
      }
      /** The pixels between them, above or below. */
      const gapOf = ({ anchor, popover }: Awaited<ReturnType<typeof asked>>) =>
        Math.max(popover.top - anchor.bottom, anchor.top - popover.bottom)
      const add = page.getByRole('button', { name: 'Add step' })
      await add.click()
      const atButton = await asked(add)
      expect(atButton.popover.left).toBeCloseTo(atButton.anchor.left, 0)
      expect(atButton.popover.top - atButton.anchor.bottom).toBeCloseTo(6, 0)

      // In a resized window, the palette stays at its button.
      const large = page.viewportSize() ?? { width: 1_440, height: 860 }
      await page.setViewportSize({ width: 1_200, height: 700 })
      const offset = async () => {
        const [anchor, popover] = [await boxOf(add), await boxOf(dialog)]
        return [popover.left - anchor.left, popover.top - anchor.bottom].map(Math.round)
      }
      await expect.poll(offset).toEqual([0, 6])
      await page.setViewportSize(large)
      await expect.poll(offset).toEqual([0, 6])

      await expectGood(window, 'add-step-popover')
      await page.keyboard.press('Escape')
      await add.and(page.locator(':focus')).waitFor()

      await stepNamed('Yes').focus()
      await page.keyboard.press('a')
      const atStep = await asked(stepNamed('Yes'))
      expect(atStep.popover.left).toBeCloseTo(atStep.anchor.left, 0)
      expect(gapOf(atStep)).toBeCloseTo(6, 0)
      await page.keyboard.press('Escape')
      await stepNamed('Yes').and(page.locator(':focus')).waitFor()

      await page.getByRole('radio', { name: 'Steps' }).click()
      const row = page.getByRole('row', { name: /^Yes(,|$)/ })
      await row.hover()
      const addAfter = row.getByRole('button', { name: 'Add a step after Yes' })
      await addAfter.click()
      const atRow = await asked(addAfter)
      expect(gapOf(atRow)).toBeCloseTo(6, 0)
      await page.keyboard.press('Escape')

      const atEnd = page.getByRole('button', { name: 'Add a step…' })
      await atEnd.waitFor()
      await page.setViewportSize({ width: 1_440, height: 560 })
      await atEnd.evaluate((button) => button.scrollIntoView({ block: 'end' }))
      await atEnd.click()
      const above = await asked(atEnd)
      expect(above.anchor.top - above.popover.bottom).toBeCloseTo(6, 0)
      expect(above.popover.top).toBeGreaterThanOrEqual(8)
      const { top } = above.popover
      await page.keyboard.type('nothing')
      await dialog.getByText(/^No (match|step type)/).waitFor()
      // The field does not move while the list shrinks.
      expect((await boxOf(dialog)).top).toBeCloseTo(top, 0)
      // The first Escape clears the field.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')

      await page.setViewportSize({ width: 390, height: 740 })
      await atEnd.click()
      await search.waitFor()
      const sheet = await boxOf(dialog)
      expect(sheet.left).toBeCloseTo(390 - sheet.right, 0)
      expect(sheet.top).toBeGreaterThan(50)
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'Page Down moves by a page through a list of choices, and not to its end',
    async () => {
      const more = Array.from({ length: 40 }, (_, at) => step(`more-${at}`, `More ${at}`))
      const graph = { nodes: [...GRAPH.nodes, ...more], edges: GRAPH.edges }
      const workflowId = await newWorkflow(journey, 'Many targets', graph)
      const window = await journey.open(await journey.person('member'), workflowPath(journey, workflowId))
      const { page } = window
      await page.getByRole('button', { name: 'More commands' }).waitFor()
      await page.getByRole('row', { name: /^No(,|$)/ }).focus()
      await page.keyboard.press('c')
      const dialog = page.getByRole('dialog', { name: 'Connect No to which step?' })
      await dialog.getByRole('searchbox').and(page.locator(':focus')).waitFor()
      const active = () =>
        page.evaluate<number>(`[...document.querySelectorAll('[role="dialog"] [role="menuitem"]')].findIndex(
          ({ id }) => id === document.activeElement.getAttribute('aria-activedescendant'))`)
      const last = (await dialog.getByRole('menuitem').count()) - 1
      expect(last).toBeGreaterThan(40)
      await page.keyboard.press('ArrowDown')
      await expect.poll(active, WAIT).toBe(0)
      await page.keyboard.press('PageDown')
      await expect.poll(active, WAIT).toBeGreaterThan(4)
      const page1 = await active()
      expect(page1).toBeLessThan(20)
      await page.keyboard.press('PageDown')
      await expect.poll(active, WAIT).toBeGreaterThan(page1 + 4)
      expect(await active()).toBeLessThan(last)
      await page.keyboard.press('PageUp')
      await expect.poll(active, WAIT).toBeLessThanOrEqual(page1)
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a press is answered while the code of its dialog loads',
    async () => {
      const { window, page } = await opened('Loads slowly')
      await page.getByRole('radio', { name: 'Steps' }).click()
      await page.getByRole('row', { name: 'End' }).click()
      const add = page.getByRole('complementary', { name: 'End' }).getByRole('button', { name: 'Add step' })
      await add.waitFor()
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      await page.route('**/*.js', async (route) => {
        await held
        await route.continue()
      })
      await add.click()
      await page.getByText('Opening…').waitFor()
      goOn()
      const dialog = page.getByRole('dialog', { name: 'Which step?' })
      await dialog.getByRole('searchbox').and(page.locator(':focus')).waitFor()
      await page.getByText('Opening…').waitFor({ state: 'detached' })
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'the list has the same commands by the same keys, at the row that has the focus',
    async () => {
      const workflowId = await newWorkflow(journey, 'By the list', GRAPH)
      const window = await journey.open(await journey.person('member'), workflowPath(journey, workflowId))
      const { page } = window
      const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) }).first()
      await page.getByRole('button', { name: 'More commands' }).waitFor()
      await row('Yes').focus()
      await page.keyboard.press('w')
      await expect.poll(() => waysOf(workflowId), WAIT).toContain('loop body yes')
      await row('Loop').and(page.locator(':focus')).waitFor()
      await row('No').focus()
      await page.keyboard.press('c')
      await page.getByRole('dialog', { name: 'Connect No to which step?' }).getByRole('searchbox').fill('End')
      await page.keyboard.press('Enter')
      await expect.poll(() => waysOf(workflowId), WAIT).toContain('no out end')
      await row('No').focus()
      await page.keyboard.press('Shift+D')
      await page.getByRole('row', { name: 'No, Disabled' }).waitFor()
      await page.keyboard.press('t')
      await page
        .getByRole('dialog', { name: 'What starts the workflow?' })
        .getByRole('searchbox')
        .fill('Recurrence')
      await page.keyboard.press('Enter')
      await expect.poll(() => waysOf(workflowId), WAIT).toContain('recurrence out choice')
      await expectGood(window, 'commands of the list')
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Wrap in a Loop').waitFor()
      await page.keyboard.press('Escape')
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'on a phone a search for a new step also finds triggers, and otherwise names what calls other services',
    async () => {
      const { workflowId, window, page } = await opened('On a phone', 360)
      const search = page.getByRole('dialog', { name: 'Which step?' }).getByRole('searchbox')
      const add = page.getByRole('button', { name: 'Add step' })
      await add.tap()
      // The unfiltered list is longer than its part of the page: Tab reaches it, and arrows scroll to its last entry.
      await search.waitFor()
      await expectGood(window, 'all steps on a phone')
      await page.keyboard.press('ArrowUp')
      const last = page.getByRole('menuitem').last()
      await expect.poll(() => last.getAttribute('data-focused'), WAIT).toBe('true')
      const list = page.getByRole('menu', { name: 'Which step?' })
      const bottoms = async () => [await last.boundingBox(), await list.boundingBox()]
      await expect
        .poll(async () => {
          const [entry, around] = await bottoms()
          return !!entry && !!around && entry.y + entry.height <= around.y + around.height + 1
        }, WAIT)
        .toBe(true)
      // A press beside an entry keeps the focus in the field.
      await page.getByText('AI', { exact: true }).first().click({ force: true })
      expect(await search.and(page.locator(':focus')).count()).toBe(1)
      await search.fill('slack')
      await page.getByText('An AI Agent calls other services with its tools.').waitFor()
      await search.fill('http')
      await page.getByRole('menuitem', { name: /^HTTP Request/ }).waitFor()
      expect(await page.getByRole('menuitem').count()).toBe(1)
      await expectGood(window, 'add step on a phone')
      await page.getByRole('menuitem', { name: /^HTTP Request/ }).tap()
      await expect.poll(() => waysOf(workflowId), WAIT).toContain('http-request out choice')
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a canvas that throws leaves the page, and the list is the way out',
    async () => {
      const { page, stepNamed } = await opened('Broken')
      await stepNamed('Start').focus()
      await page.evaluate(`CSS.escape = () => { throw new Error('broken by this test') }`)
      await page.keyboard.press('ArrowDown')
      await page.getByText('The canvas stopped working').waitFor()
      await page.getByRole('button', { name: 'Show the list' }).click()
      await page.getByRole('row', { name: /^Choice/ }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'viewers see the same canvas without commands',
    async () => {
      const { window, page, stepNamed } = await opened('Only read', 1_440, 'viewer')
      await stepNamed('No').hover()
      expect(await page.locator('[data-port]').count()).toBe(0)
      const before = await middle(stepNamed('No'))
      await stepNamed('No').focus()
      await page.keyboard.press('Delete')
      await drag(page, before, { x: before.x + 60, y: before.y })
      await stepNamed('No').waitFor()
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

async function middle(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('not on the page')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 })
  await page.mouse.move(to.x, to.y, { steps: 3 })
  await page.mouse.up()
}

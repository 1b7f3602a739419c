import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { newWorkflow, nodesOf, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

const ROWS = { rows: [{ name: 'answer', value: '' }] }
const TRIAGE = {
  nodes: [
    {
      id: 'start',
      type: 'manual-trigger',
      name: 'Start',
      config: { sample: { ticket: { title: 'No light' } } },
    },
    { id: 'facts', type: 'edit-fields', name: 'Facts', config: { rows: [{ name: 'priority', value: 1 }] } },
    { id: 'reply', type: 'edit-fields', name: 'Reply', config: ROWS },
    {
      id: 'urgent',
      type: 'if-else',
      name: 'Urgent?',
      config: { conditions: [{ left: '', op: 'eq', right: 1 }] },
    },
  ],
  edges: [
    { id: 'a', source: 'start', target: 'facts' },
    { id: 'b', source: 'facts', target: 'reply' },
    { id: 'c', source: 'reply', target: 'urgent' },
  ],
}

/** A Loop over the lines of an order, and a step that no run reaches yet. */
const LINES = {
  nodes: [
    { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
    {
      id: 'each',
      type: 'loop',
      name: 'Each line',
      config: { mode: 'list', source: '{{ trigger.lines }}' },
    },
    { id: 'line', type: 'edit-fields', name: 'Line', config: ROWS, parentId: 'each' },
    {
      id: 'many',
      type: 'if-else',
      name: 'Many?',
      config: { conditions: [{ left: '{{ upstream.each.output }}', op: 'is_empty' }] },
    },
    { id: 'unrun', type: 'edit-fields', name: 'Not run', config: ROWS },
    { id: 'last', type: 'edit-fields', name: 'Last', config: ROWS },
  ],
  edges: [
    { id: 'a', source: 'start', target: 'each' },
    { id: 'b', source: 'each', sourceHandle: 'body', target: 'line' },
    { id: 'c', source: 'each', sourceHandle: 'done', target: 'many' },
    { id: 'd', source: 'many', sourceHandle: 'true', target: 'unrun' },
    { id: 'e', source: 'unrun', target: 'last' },
  ],
}

describe.skipIf(CHROMIUM === null)('tokens in the fields of a step', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const edit = async (id: string, width?: number) => {
    const workflowId = await newWorkflow(journey, `Triage ${id} ${width ?? ''}`, TRIAGE)
    const path = workflowPath(journey, workflowId, `?node=${id}&edit=1`)
    const window = await journey.open(
      await journey.person('member'),
      path,
      width === undefined ? {} : { width },
    )
    return { window, workflowId }
  }

  test(
    'are completed by keyboard, saved, and read by the step',
    async () => {
      const { window, workflowId } = await edit('reply', 1_440)
      const { page, faults } = window
      const value = page.getByRole('textbox', { name: 'Value', exact: true })
      const options = page.getByRole('listbox', { name: 'Tokens to insert' }).getByRole('option')
      await value.fill('About ')
      await value.press('End')
      await value.pressSequentially('{{')
      await options.first().waitFor()
      expect(await options.allInnerTexts()).toEqual([
        'trigger.ticket\n{"title":"No light"}\nStart: Start · object',
        'trigger.ticket.title\nNo light\nStart: Start · text',
        'upstream.facts.output\nFacts · object',
        'upstream.facts.output.priority\nFacts',
      ])
      await expectGood(window, 'workflow-tokens-1440')
      await value.pressSequentially('tit')
      await expect.poll(() => options.count()).toBe(1)
      await value.press('Enter')
      expect(await value.inputValue()).toBe('About {{ trigger.ticket.title }}')
      await value.pressSequentially(' and ')
      await value.press('Control+Space')
      await value.press('ArrowUp')
      await value.press('Tab')
      expect(await value.inputValue()).toBe(
        'About {{ trigger.ticket.title }} and {{ upstream.facts.output.priority }}',
      )
      // Escape closes the list, and not the panel.
      await value.press('Control+Space')
      await options.first().waitFor()
      await value.press('Escape')
      await expect.poll(() => options.count()).toBe(0)
      await expect
        .poll(async () => nodesOf(await storedWorkflow(journey, workflowId))[2]?.config)
        .toMatchObject({
          rows: [{ value: 'About {{ trigger.ticket.title }} and {{ upstream.facts.output.priority }}' }],
        })
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'have the values of the last test, and of a pin where it has none, also of an item of a Loop',
    async () => {
      const workflowId = await newWorkflow(journey, 'Lines', LINES)
      const person = await journey.person('member')
      const open = (node: string, width: number) =>
        journey.open(person, workflowPath(journey, workflowId, `?node=${node}&edit=1`), { width })
      const { executionId } = await asOperator<{ executionId: string }>(
        ...([journey, `POST /workflows/${workflowId}/test-runs`] as const),
        {
          draftRevision: 1,
          scope: { kind: 'all' },
          payload: { lines: [{ sku: 'Lamp\n60 W' }, { sku: 'Bulb' }] },
        },
      )
      await expect
        .poll(() => asOperator<object>(journey, `GET /runs/${executionId}`), { timeout: 30_000 })
        .toMatchObject({ status: 'completed' })
      await asOperator(journey, `PUT /workflows/${workflowId}/pins/unrun`, { output: { text: '' } })
      const last = await open('last', 1_440)
      const value = last.page.getByRole('textbox', { name: 'Value', exact: true })
      const options = last.page.getByRole('listbox', { name: 'Tokens to insert' }).getByRole('option')
      await value.pressSequentially('{{')
      const withValue = options
        .filter({ hasText: 'upstream.unrun.output.text' })
        .filter({ hasText: 'an empty text' })
      await withValue.waitFor()
      expect(await options.filter({ hasText: 'trigger.lines' }).innerText()).toContain('[{"sku":"Lamp')
      await last.context.close()

      const window = await open('line', 360)
      const sheet = window.page.getByRole('dialog', { name: 'Line' })
      const inLoop = sheet.getByRole('textbox', { name: 'Value', exact: true })
      await inLoop.pressSequentially('{{item.')
      const item = sheet.getByRole('option', { name: /^loop\.item\.sku/ })
      // The last iteration of the test.
      await item.getByText('Bulb', { exact: true }).waitFor()
      await expectGood(window, 'workflow-tokens-of-a-loop-360')
      await inLoop.press('Enter')
      expect(await inLoop.inputValue()).toBe('{{ loop.item.sku }}')
      await sheet.getByText('Preview').locator('..').getByText('Bulb').waitFor()
      expect([...last.faults, ...window.faults]).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'are chosen with a finger on a phone, in a condition',
    async () => {
      const { window, workflowId } = await edit('urgent', 360)
      const { page } = window
      const sheet = page.getByRole('dialog', { name: 'Urgent?' })
      await sheet.getByRole('textbox', { name: 'Value', exact: true }).pressSequentially('{{prio')
      await expectGood(window, 'workflow-tokens-360')
      await sheet.getByRole('option', { name: 'upstream.facts.output.priority' }).click()
      await page.keyboard.press('Control+s')
      await expect
        .poll(async () => nodesOf(await storedWorkflow(journey, workflowId))[3]?.config)
        .toMatchObject({ conditions: [{ left: '{{ upstream.facts.output.priority }}', op: 'eq', right: 1 }] })
    },
    PATIENCE_MS,
  )
})

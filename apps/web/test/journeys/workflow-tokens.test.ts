import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { newWorkflow, nodesOf, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** A page that is slow to answer on a loaded machine is no failure of what it shows. */
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
        'trigger.ticket\nStart: Start · object',
        'trigger.ticket.title\nStart: Start · text',
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

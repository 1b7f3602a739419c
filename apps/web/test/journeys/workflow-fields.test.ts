import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { newWorkflow, nodesOf, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

const START = {
  id: 'start',
  type: 'manual-trigger',
  name: 'Start',
  config: { sample: { amount: 3, isNew: true, country: 'DE' } },
}

describe.skipIf(CHROMIUM === null)('the special fields of a step', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  /** Opens the editor of the step that is called `step`, behind the start. */
  const edit = async (step: { type: string; config: object }, width: number) => {
    const draft = {
      nodes: [START, { id: 'step', name: 'The step', ...step }],
      edges: [{ id: 'a', source: 'start', target: 'step' }],
    }
    const workflowId = await newWorkflow(journey, `Fields of ${step.type} ${width}`, draft)
    const window = await journey.open(
      await journey.person('member'),
      workflowPath(journey, workflowId, '?node=step&edit=1'),
      { width },
    )
    const stored = async () => nodesOf(await storedWorkflow(journey, workflowId))[1]?.config
    return { window, page: window.page, stored }
  }

  /** A workflow whose draft was tested: a step that counts, and one with `text`. */
  const tested = async (text: string, status: string) => {
    const draft = {
      nodes: [
        START,
        {
          id: 'facts',
          type: 'edit-fields',
          name: 'Facts',
          config: { rows: [{ name: 'total', value: '{{ trigger.amount }}' }] },
        },
        {
          id: 'reply',
          type: 'edit-fields',
          name: 'Reply',
          config: { rows: [{ name: 'text', value: text }] },
        },
      ],
      edges: [
        { id: 'a', source: 'start', target: 'facts' },
        { id: 'b', source: 'facts', target: 'reply' },
      ],
    }
    const workflowId = await newWorkflow(journey, `Says ${text}`, draft)
    const { executionId } = await asOperator<{ executionId: string }>(
      journey,
      `POST /workflows/${workflowId}/test-runs`,
      {
        draftRevision: 1,
        scope: { kind: 'all', nodeId: null, path: null },
        seeds: {},
        allowEffects: false,
        payload: { amount: 3 },
      },
    )
    await expect
      .poll(async () => (await asOperator<{ status: string }>(journey, `GET /runs/${executionId}`)).status, {
        timeout: 20_000,
      })
      .toBe(status)
    return { workflowId, executionId }
  }

  test(
    'conditions and a group of them are written without JSON, compared as their token allows, and moved by keys',
    async () => {
      const { window, page, stored } = await edit({ type: 'if-else', config: {} }, 1_440)
      const outer = page.getByRole('group', { name: 'Conditions', exact: true })
      const add = (name: string) => page.getByRole('button', { name, exact: true })
      await add('Add condition').click()
      await page.keyboard.type('{{ trigger.isNew }}')
      await page.keyboard.press('Escape')
      await outer.getByRole('button', { name: /Comparison/ }).click()
      const offered = await page.getByRole('option').allInnerTexts()
      expect(offered).toContain('is true')
      expect(offered).not.toContain('starts with')
      await page.getByRole('option', { name: 'is true', exact: true }).click()
      await add('Add group').click()
      const inner = page.getByRole('group', { name: 'Conditions of this group' })
      await inner.getByRole('textbox', { name: 'Value' }).fill('{{ trigger.amount }}')
      await inner.getByRole('textbox', { name: 'Compared with' }).fill('3.5')
      await inner.getByRole('button', { name: 'Add condition' }).click()
      await inner.getByRole('textbox', { name: 'Value' }).nth(1).fill('{{ trigger.country }}')
      await inner.getByRole('textbox', { name: 'Compared with' }).nth(1).fill('5')
      await expectGood(window, 'workflow-conditions-1440')
      const first = {
        match: 'any',
        conditions: [
          { left: '{{ trigger.amount }}', op: 'eq', right: 3.5 },
          { left: '{{ trigger.country }}', op: 'eq', right: '5' },
        ],
      }
      const truth = { left: '{{ trigger.isNew }}', op: 'is_true' }
      await expect.poll(stored).toMatchObject({ conditions: [truth, first] })
      const grip = page.getByRole('button', { name: 'Move 2 of Conditions', exact: true })
      await grip.press('ArrowUp')
      await page.getByText('Moved to 1 of 2').waitFor()
      await expect.poll(stored).toMatchObject({ conditions: [first, truth] })
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an id that the end of its name fills in is not reported as missing, so the next button stays under the pointer',
    async () => {
      const { window, page, stored } = await edit({ type: 'classify', config: { text: '1' } }, 1_440)
      const add = page.getByRole('button', { name: 'Add', exact: true })
      await add.click()
      await page.keyboard.type('Refund')
      await expect.poll(stored).toMatchObject({ classes: [{ name: 'Refund' }] })
      // The check of the draft has reported the missing id by now, at the step and not at its field.
      await page.getByRole('row', { name: /1 problem/ }).waitFor()
      expect(await page.getByText('Fill this in.').count()).toBe(0)
      await add.scrollIntoViewIfNeeded()
      const at = await add.boundingBox()
      if (!at) throw new Error('The button is not shown')
      await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2)
      await page.getByRole('textbox', { name: 'Name', exact: true }).nth(1).waitFor()
      await page.keyboard.type('Bug')
      await page.keyboard.press('Tab')
      await expect.poll(stored).toMatchObject({ classes: [{ id: 'refund' }, { id: 'bug' }] })
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'one condition that has no fields is JSON beside the others, on a phone too, and a drag moves it',
    async () => {
      const odd = { left: '{{ trigger.list }}', op: 'eq', right: [1] }
      const plain = { left: '{{ trigger.amount }}', op: 'gt', right: 1 }
      const { window, page, stored } = await edit(
        { type: 'if-else', config: { conditions: [odd, plain] } },
        360,
      )
      await page.getByText('This condition is too complex for fields.').waitFor()
      await page.getByRole('textbox', { name: 'Compared with' }).waitFor()
      await expectGood(window, 'workflow-conditions-360')
      const grips = page.getByRole('button', { name: /^Move \d of Conditions$/ })
      await grips.nth(1).scrollIntoViewIfNeeded()
      const [to, from] = [await grips.nth(0).boundingBox(), await grips.nth(1).boundingBox()]
      if (to === null || from === null) throw new Error('The grips of the conditions are not shown')
      await page.mouse.move(from.x + 8, from.y + 8)
      await page.mouse.down()
      await page.mouse.move(to.x + 8, to.y + 8, { steps: 4 })
      await page.mouse.up()
      await page.getByText('Moved to 1 of 2').waitFor()
      await expect.poll(stored).toMatchObject({ conditions: [plain, odd] })
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a schema is written in rows, reordered, and read as JSON; two rows of one name are not saved as one',
    async () => {
      const config = { prompt: 'Sort the ticket', outputSchema: null }
      const { window, page, stored } = await edit({ type: 'ai-prompt', config }, 1_440)
      await page.getByText('More settings', { exact: true }).click()
      const fields = page.getByRole('group', { name: 'Output schema', exact: true })
      const add = page.getByRole('button', { name: 'Add field', exact: true })
      const names = fields.getByRole('textbox', { name: 'Name', exact: true })
      await add.click()
      await names.fill('category')
      await fields.getByRole('button', { name: /Type/ }).click()
      await page.getByRole('option', { name: 'One of these texts', exact: true }).click()
      await fields.getByText('Add at least one.').waitFor()
      await fields.getByRole('textbox', { name: 'Allowed texts' }).fill('bug\npraise')
      await fields.getByRole('textbox', { name: /^Description/ }).fill('Of the ticket')
      await add.click()
      await names.nth(1).fill('category')
      await fields.getByText('Another field has this name.').waitFor()
      const waiting = 'Not saved: “Output schema” is not complete or not valid JSON yet.'
      await page.getByText(waiting).waitFor()
      await page.reload()
      await page.getByText('More settings', { exact: true }).click()
      await fields.getByText('Another field has this name.').waitFor()
      await names.nth(1).fill('answer')
      await fields.getByText('Required', { exact: true }).nth(1).click()
      await fields.getByRole('button', { name: 'Move 2 of Output schema' }).press('ArrowUp')
      await page.getByText('Moved to 1 of 2').waitFor()
      const schema = {
        type: 'object',
        properties: {
          answer: { type: 'string' },
          category: { type: 'string', enum: ['bug', 'praise'], description: 'Of the ticket' },
        },
        required: ['category'],
      }
      await expect
        .poll(async () => JSON.stringify(Object(await stored()).outputSchema))
        .toBe(JSON.stringify(schema))
      await expectGood(window, 'workflow-schema-1440')
      expect(window.faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'another id of a step is followed by connections and tokens, and an id that is taken is refused',
    async () => {
      const draft = {
        nodes: [
          START,
          { id: 'facts', type: 'edit-fields', name: 'Facts', config: { rows: [{ name: 'n', value: 1 }] } },
          {
            id: 'reply',
            type: 'edit-fields',
            name: 'Reply',
            config: { rows: [{ name: 'text', value: 'It is {{ upstream.facts.output.n }}' }] },
          },
        ],
        edges: [
          { id: 'a', source: 'start', target: 'facts' },
          { id: 'b', source: 'facts', target: 'reply' },
        ],
      }
      const workflowId = await newWorkflow(journey, 'Another id', draft)
      const window = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=facts'),
        { width: 360 },
      )
      const { page } = window
      await page.getByRole('button', { name: 'Change id', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Change the id of Facts' })
      const id = dialog.getByRole('textbox', { name: 'Id in tokens' })
      await id.fill('reply')
      await dialog.getByText('Another step has this id.').waitFor()
      await id.fill('numbers')
      await expectGood(window, 'workflow-change-id-360')
      await id.press('Enter')
      await page.getByText('Facts has the id numbers').first().waitFor()
      await expect
        .poll(async () => nodesOf(await storedWorkflow(journey, workflowId)).map((node) => node.id))
        .toEqual(['start', 'numbers', 'reply'])
      const stored = await storedWorkflow(journey, workflowId)
      expect(nodesOf(stored)[2]?.config).toMatchObject({
        rows: [{ value: 'It is {{ upstream.numbers.output.n }}' }],
      })
      expect(stored.draft.edges).toMatchObject([
        { source: 'start', target: 'numbers' },
        { source: 'numbers', target: 'reply' },
      ])
      await expect.poll(() => page.url()).toContain('node=numbers')
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'the text of a field is previewed with the values of the last test, repaired by a button, and filled from the data beside it',
    async () => {
      const { workflowId } = await tested('It is {{ upstream.facts.output.total }}', 'completed')
      const person = await journey.person('member')
      const path = workflowPath(journey, workflowId, '?node=reply&edit=1')
      const window = await journey.open(person, path, { width: 1_440 })
      const { page } = window
      await page.getByText('It is 3', { exact: true }).waitFor()
      const value = page.getByRole('textbox', { name: 'Value', exact: true })
      await value.fill('Now {{ upstream.facts.output.totl }}')
      await page.getByText('Did you mean "total"?').waitFor()
      await page.getByRole('button', { name: 'Use upstream.facts.output.total' }).click()
      await page.getByText('Now 3', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Full width' }).click()
      const input = page.getByRole('region', { name: 'Input', exact: true })
      await page.getByRole('region', { name: 'Output', exact: true }).getByText('"It is 3"').waitFor()
      await value.press('End')
      await input.getByRole('button', { name: 'trigger.amount' }).press('Enter')
      const repaired = 'Now {{ upstream.facts.output.total }}{{ trigger.amount }}'
      await expect
        .poll(async () => nodesOf(await storedWorkflow(journey, workflowId))[2]?.config)
        .toMatchObject({ rows: [{ value: repaired }] })
      await page.getByText('Now 33', { exact: true }).waitFor()
      await input.getByRole('button', { name: 'trigger.amount' }).dragTo(value)
      // Wherever it is dropped, it splits no other token.
      await page.getByText('Now 333', { exact: true }).waitFor()
      await expectGood(window, 'workflow-step-data-1440')
      const phone = await journey.open(person, path, { width: 360 })
      await phone.page.getByRole('radio', { name: 'Input', exact: true }).click()
      await phone.page.getByRole('button', { name: 'trigger.amount' }).waitFor()
      await expectGood(phone, 'workflow-step-data-360')
      expect(window.faults).toEqual([])
    },
    2 * PATIENCE_MS,
  )

  test(
    'a dialog of a step stays open while the window becomes narrow, and no notice covers its buttons',
    async () => {
      const { workflowId } = await tested('It is {{ upstream.facts.output.total }}', 'completed')
      const window = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=reply'),
        { width: 1_440 },
      )
      const { page } = window
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await page
        .getByRole('complementary', { name: 'Reply' })
        .getByRole('button', { name: 'Change id' })
        .click()
      const dialog = page.getByRole('dialog', { name: 'Change the id of Reply' })
      const id = dialog.getByRole('textbox', { name: 'Id in tokens' })
      await id.fill('letter')
      await page.setViewportSize({ width: 360, height: 740 })
      await page.waitForTimeout(500)
      expect(await id.inputValue()).toBe('letter')
      await id.press('Enter')
      // The panel follows the window when the dialog is closed.
      await dialog.waitFor({ state: 'detached' })
      await page
        .getByRole('dialog', { name: 'Reply', exact: true })
        .getByRole('button', { name: 'Close', exact: true })
        .press('Enter')
      await page.getByText('Reply has the id letter').first().waitFor()
      // Notices are children of this part, even when it is empty.
      const notices = page.locator('section[aria-live="polite"]')
      for (const width of [360, 1_440]) {
        await page.setViewportSize({ width, height: 740 })
        await button('Test').first().press('Enter')
        await button('Start the test').waitFor()
        const [over, under] = [await notices.boundingBox(), await button('Start the test').boundingBox()]
        if (!over || !under) throw new Error('not on the page')
        const isBeside = over.x + over.width <= under.x
        const isAbove = over.y + over.height <= under.y
        expect(width === 360 ? isAbove : isBeside, `${width}: ${JSON.stringify([over, under])}`).toBe(true)
        await page.keyboard.press('Escape')
        await button('Start the test').waitFor({ state: 'detached' })
      }
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a failed step shows its token and the existing keys, and links to the field and to a test with the same data',
    async () => {
      const { executionId } = await tested('It is {{upstream.facts.output.totl}}', 'failed')
      const window = await journey.open(
        await journey.person('member'),
        `/o/${journey.slug}/runs/${executionId}?node=reply`,
        { width: 360 },
      )
      const { page } = window
      await page.locator('mark', { hasText: '{{ upstream.facts.output.totl }}' }).waitFor()
      const keys = page.getByRole('region', { name: 'Keys of upstream.facts.output' })
      await keys.getByText('total', { exact: true }).waitFor()
      await expectGood(window, 'run-failure-explained-360')
      const test = page.getByRole('link', { name: 'Test from here with this data' })
      expect(await test.getAttribute('href')).toMatch(/test=from&testStep=reply&testRun=/)
      await page.getByRole('link', { name: 'Fix in the draft' }).click()
      const value = page.getByRole('textbox', { name: 'Value', exact: true })
      await value.and(page.locator(':focus')).waitFor()
      expect(await value.inputValue()).toContain('totl')
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

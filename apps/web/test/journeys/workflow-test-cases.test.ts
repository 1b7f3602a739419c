import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { edge, step } from './orders-graph.ts'
import { newWorkflow, publishedWorkflow, storedWorkflow, workflowPath } from './workflow-steps.ts'

const PATIENCE_MS = 180_000
const WAIT = { timeout: 20_000, interval: 100 }

const graphOf = (value: string) => ({
  nodes: [
    { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
    step('greet', 'Greet', { config: { rows: [{ name: 'text', value }] } }),
  ],
  edges: [edge('start', 'greet')],
})

describe.skipIf(CHROMIUM === null)('test cases', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 240_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test(
    'a run becomes a blocking case in one click, a changed draft fails it, and the mended one is published',
    async () => {
      const workflowId = await newWorkflow(journey, 'Greetings', graphOf('Hello {{ trigger.name }}'))
      const { draftRevision } = await storedWorkflow(journey, workflowId)
      const started = await asOperator<{ executionId: string }>(
        journey,
        `POST /workflows/${workflowId}/test-runs`,
        { draftRevision, scope: { kind: 'all' }, payload: { name: 'Eva' } },
      )
      const read = () => asOperator<{ status: string }>(journey, `GET /runs/${started.executionId}`)
      await expect.poll(async () => (await read()).status, WAIT).toBe('completed')
      const window = await journey.open(
        await journey.person('member', 'Eva'),
        `/o/${journey.slug}/runs/${started.executionId}`,
        { width: 1_440 },
      )
      const { page } = window
      await page.getByRole('button', { name: 'Save as test case' }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit “Case 1”' })
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Greets Eva')
      await dialog.getByText('Blocking', { exact: true }).click()
      await expectGood(window, 'test-case-edited')
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      const card = page.getByRole('article', { name: 'Greets Eva' })
      await card.getByText('Blocking', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Run all' }).click()
      await card.getByText('Passed', { exact: true }).waitFor()

      const { draftRevision: before } = await storedWorkflow(journey, workflowId)
      const [, node] = graphOf('Good day {{ trigger.name }}').nodes
      await asOperator(journey, `POST /workflows/${workflowId}/draft`, {
        draftRevision: before,
        changes: [{ put: { node } }],
      })
      await page.reload()
      await card.getByText('From an older draft').waitFor()
      await page.getByRole('button', { name: 'Run all' }).click()
      await card.getByText('Failed', { exact: true }).waitFor()
      await card.getByRole('cell', { name: '"Good day Eva"' }).waitFor()
      await expectGood(window, 'test-case-failed')
      await page.getByRole('tab', { name: 'Publish' }).click()
      await page
        .getByRole('listitem')
        .filter({ hasText: '“Greets Eva” has failed for this draft.' })
        .waitFor()
      // A press runs the blocking cases first; a failed one stops the publish, and its name opens it.
      const press = page.getByRole('button', { name: 'Run the tests and publish version 1' })
      await press.click()
      await page.getByText('The draft was not published: a blocking test case failed').waitFor()
      await expectGood(window, 'publish-test-failed')
      expect((await storedWorkflow(journey, workflowId)).deployment).toBeNull()
      await page.getByRole('link', { name: '“Greets Eva”' }).click()
      await page.getByRole('dialog', { name: 'Edit “Greets Eva”' }).waitFor()

      const [, mended] = graphOf('Hello {{ trigger.name }}').nodes
      await asOperator(journey, `POST /workflows/${workflowId}/draft`, {
        draftRevision: (await storedWorkflow(journey, workflowId)).draftRevision,
        changes: [{ put: { node: mended } }],
      })
      await page.goto(journey.url + workflowPath(journey, workflowId, '?tab=publish'))
      await page
        .getByRole('listitem')
        .filter({ hasText: '“Greets Eva” has not been run for this draft.' })
        .waitFor()
      await press.click()
      await expect
        .poll(async () => (await storedWorkflow(journey, workflowId)).deployment !== null, WAIT)
        .toBe(true)
      await page.getByText('Version 1 is live').waitFor()
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'an output of a run is pinned to the draft, taken by a test, and marked once a step before it changes',
    async () => {
      const chain = (value: string) => ({
        nodes: [
          ...graphOf(value).nodes,
          step('last', 'Last', {
            config: { rows: [{ name: 'end', value: '{{ upstream.greet.output.text }}' }] },
          }),
        ],
        edges: [edge('start', 'greet'), edge('greet', 'last')],
      })
      const workflowId = await newWorkflow(journey, 'Pinned', chain('Hello'))
      const { draftRevision } = await storedWorkflow(journey, workflowId)
      const started = await asOperator<{ executionId: string }>(
        journey,
        `POST /workflows/${workflowId}/test-runs`,
        { draftRevision, scope: { kind: 'all' }, payload: {} },
      )
      const read = () => asOperator<{ status: string }>(journey, `GET /runs/${started.executionId}`)
      await expect.poll(async () => (await read()).status, WAIT).toBe('completed')
      const window = await journey.open(
        await journey.person('member', 'Eva'),
        workflowPath(journey, workflowId, `?view=map&run=${started.executionId}&node=last`),
        { width: 1_440 },
      )
      const { page } = window
      await page.getByRole('button', { name: 'Pin this output to the draft' }).click()
      await page.getByText('The output of “Last” is pinned').waitFor()
      await page.goto(journey.url + workflowPath(journey, workflowId, '?node=last'))
      const panel = page.getByRole('complementary', { name: 'Last' })
      await panel.getByRole('button', { name: 'Remove the pin' }).waitFor()
      await page.getByRole('row', { name: /^Last, pinned/ }).waitFor()
      await expectGood(window, 'step-pinned')
      const pinnedIds = async () => {
        const path = `GET /workflows/${workflowId}/pins`
        return (await asOperator<{ data: { nodeId: string }[] }>(journey, path)).data.map((pin) => pin.nodeId)
      }
      await panel.getByRole('button', { name: 'Change id' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change the id of Last' })
      await dialog.getByRole('textbox', { name: 'Id in tokens' }).fill('ending')
      await dialog.getByRole('button', { name: 'Change id' }).click()
      await expect.poll(pinnedIds, WAIT).toEqual(['ending'])
      await panel.getByRole('button', { name: 'Remove the pin' }).waitFor()
      await page.getByRole('row', { name: 'Last, pinned', exact: true }).waitFor()
      await page.getByRole('button', { name: /^Undo last change/ }).click()
      await expect.poll(pinnedIds, WAIT).toEqual(['last'])
      await page.getByRole('row', { name: 'Last, pinned', exact: true }).waitFor()
      const [, node] = graphOf('Good day').nodes
      await asOperator(journey, `POST /workflows/${workflowId}/draft`, {
        draftRevision: (await storedWorkflow(journey, workflowId)).draftRevision,
        changes: [{ put: { node } }],
      })
      await page.reload()
      await page.getByRole('row', { name: /^Last, pinned, older than its input/ }).waitFor()
      await page.goto(journey.url + workflowPath(journey, workflowId, '?view=map'))
      const onCanvas = (marks: RegExp) => page.getByRole('button', { name: marks }).waitFor()
      await onCanvas(/^Last, Edit Fields, pinned, older than its input, /)
      await expectGood(window, 'step-pinned-canvas')
      // A disabled step, or one with problems, shows its pin too.
      const [, , last] = chain('').nodes
      await asOperator(journey, `POST /workflows/${workflowId}/draft`, {
        draftRevision: (await storedWorkflow(journey, workflowId)).draftRevision,
        changes: [{ put: { node: { ...last, disabled: true } } }],
      })
      await page.reload()
      await onCanvas(/^Last, Edit Fields, disabled, .*, pinned, older than its input, /)
      await expectGood(window, 'step-pinned-disabled')
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto(journey.url + workflowPath(journey, workflowId))
      await page.getByRole('row', { name: 'Last, Disabled, pinned, older than its input' }).waitFor()
      await expectGood(window, 'step-pinned-list-360')
      await page.goto(journey.url + workflowPath(journey, workflowId, '?view=map'))
      await onCanvas(/^Last, Edit Fields, disabled, .*, pinned, older than its input, /)
      await expectGood(window, 'step-pinned-canvas-360')
      // Its removal reports the removal of the pin, and Undo restores both.
      await page.goto(journey.url + workflowPath(journey, workflowId, '?view=outline&node=last'))
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByText('Its pinned output goes with it. Undo brings it back.').waitFor()
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a publish lists the agents that call the workflow, with the broken references of each',
    async () => {
      const taking = (fields: object[], value: string) => ({
        nodes: [
          { id: 'start', type: 'http-request', name: 'Order', config: { fields } },
          step('end', 'End', { config: { rows: [{ name: value, value: 'x' }] } }),
        ],
        edges: [edge('start', 'end')],
      })
      const orderId = { name: 'orderId', type: 'string' }
      const workflowId = await publishedWorkflow(journey, 'Orders', taking([orderId], 'reply'))
      const agentNamed = (name: string, instructions: string, tool: object) =>
        asOperator<{ agentId: string }>(journey, 'POST /agents', {
          name,
          config: {
            instructions,
            tools: [{ type: 'workflow', name: 'orders', workflow_id: workflowId, ...tool }],
          },
        })
      const { agentId } = await agentNamed('Order desk', 'Tell the user the reply.', {
        approval: { field: 'orderId', op: 'eq', value: 'A' },
      })
      await agentNamed('Greeter', 'Say hello.', {})
      const { nodes } = taking([{ name: 'number', type: 'string' }], 'answer')
      await asOperator(journey, `POST /workflows/${workflowId}/draft`, {
        draftRevision: 1,
        changes: nodes.map((node) => ({ put: { node } })),
      })
      const window = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?tab=publish'),
        { width: 1_440 },
      )
      const { page } = window
      await page.getByText('1 agent refers to fields that this draft removes or changes:').waitFor()
      await page
        .getByText('orderId is no longer in the payload: the approval of its tool orders depends on it')
        .waitFor()
      await page.getByText('reply is no longer in the output: its instructions name it').waitFor()
      await page.getByRole('link', { name: 'Greeter' }).waitFor()
      await expectGood(window, 'publish-callers')
      await page.setViewportSize({ width: 360, height: 740 })
      await expectGood(window, 'publish-callers-360')
      await page.getByRole('link', { name: 'Order desk' }).first().click()
      await page.waitForURL((url) => url.pathname.includes(agentId))
      expect(window.faults).toEqual([])
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a test that has ended becomes a test case on the canvas and in the list of steps, with a name',
    async () => {
      const workflowId = await newWorkflow(journey, 'Greeted', graphOf('Hello {{ trigger.name }}'))
      const { draftRevision } = await storedWorkflow(journey, workflowId)
      const started = await asOperator<{ executionId: string }>(
        journey,
        `POST /workflows/${workflowId}/test-runs`,
        { draftRevision, scope: { kind: 'all' }, payload: { name: 'Eva' } },
      )
      const read = () => asOperator<{ status: string }>(journey, `GET /runs/${started.executionId}`)
      await expect.poll(async () => (await read()).status, WAIT).toBe('completed')
      const namesOf = async () => {
        const path = `GET /workflows/${workflowId}/test-cases`
        return (await asOperator<{ data: { name: string }[] }>(journey, path)).data.map(({ name }) => name)
      }
      const window = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, `?view=map&run=${started.executionId}`),
        { width: 1_440 },
      )
      const { page } = window
      const save = page.getByRole('button', { name: 'Save as test case' })
      await save.click()
      const dialog = page.getByRole('dialog', { name: 'Save as test case' })
      await dialog.getByRole('textbox', { name: /^Name/ }).fill('Greets Eva')
      await expectGood(window, 'save-as-case-canvas')
      await page.keyboard.press('Enter')
      await page.getByText('“Greets Eva” was created from this run').waitFor()
      expect(await namesOf()).toEqual(['Greets Eva'])
      // The canvas of the draft and the list of steps offer the last test.
      await page.goto(journey.url + workflowPath(journey, workflowId, '?view=map'))
      await save.waitFor()
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto(journey.url + workflowPath(journey, workflowId, '?view=outline'))
      await page.getByText(/^Last test: .*, completed\./).waitFor()
      await expectGood(window, 'save-as-case-list-360')
      await save.click()
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await expect.poll(namesOf, WAIT).toHaveLength(2)
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await page.getByRole('dialog', { name: /^Edit “Case/ }).waitFor()
      // A case that does not exist offers the way back, and no retry.
      await page.goto(
        journey.url + workflowPath(journey, workflowId, `?tab=tests&case=${started.executionId}`),
      )
      await page.getByRole('dialog').getByRole('button', { name: 'All test cases' }).click()
      await page.getByRole('article', { name: 'Greets Eva' }).waitFor()
      window.faults.length = 0
      await asOperator(journey, `POST /workflows/${workflowId}/publish`, { draftRevision })
      for (const [place, back] of [
        ['?tab=versions&compare=999..draft', 'All versions'],
        ['?view=map&of=999', 'Back to the draft'],
        [`?view=map&run=${workflowId}`, 'Back to the draft'],
      ] as const) {
        await page.goto(journey.url + workflowPath(journey, workflowId, place))
        await page.getByRole('link', { name: back }).waitFor()
        expect(await page.getByRole('button', { name: 'Retry' }).count(), place).toBe(0)
      }
      await window.context.close()
    },
    PATIENCE_MS,
  )
})

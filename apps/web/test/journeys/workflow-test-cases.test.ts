import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { edge, step } from './orders-graph.ts'
import { newWorkflow, storedWorkflow, workflowPath } from './workflow-steps.ts'

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
      await page.getByText('“Greets Eva” has failed for this draft.').waitFor()
      expect(await page.getByRole('button', { name: /^Publish version/ }).isDisabled()).toBe(true)

      const [, mended] = graphOf('Hello {{ trigger.name }}').nodes
      await asOperator(journey, `POST /workflows/${workflowId}/draft`, {
        draftRevision: (await storedWorkflow(journey, workflowId)).draftRevision,
        changes: [{ put: { node: mended } }],
      })
      await page.goto(journey.url + workflowPath(journey, workflowId, '?tab=tests'))
      await page.getByRole('button', { name: 'Run all' }).click()
      await card.getByText('Passed', { exact: true }).waitFor()
      await page.getByRole('tab', { name: 'Publish' }).click()
      await page.getByRole('button', { name: /^Publish version/ }).click()
      await expect
        .poll(async () => (await storedWorkflow(journey, workflowId)).deployment !== null, WAIT)
        .toBe(true)
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
      // Its removal tells that the pin goes, and Undo brings both back.
      await page.goto(journey.url + workflowPath(journey, workflowId, '?view=outline&node=last'))
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByText('Its pinned output goes with it. Undo brings it back.').waitFor()
      await window.context.close()
    },
    PATIENCE_MS,
  )
})

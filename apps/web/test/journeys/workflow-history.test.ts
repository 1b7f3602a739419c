import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { edge, step } from './orders-graph.ts'
import { nodesOf, publishedWorkflow, renameStep, storedWorkflow, workflowPath } from './workflow-steps.ts'

const PATIENCE_MS = 120_000

const start = (fields: object[]) => ({
  id: 'start',
  type: 'http-request',
  name: 'Refund asked',
  config: { fields },
})
const writes = (id: string, name: string, value: string, row = 'text') => ({
  ...step(id, name),
  type: 'edit-fields',
  config: { rows: [{ name: row, value }] },
})

/** The answer reads a step that the draft no longer has. */
const PUBLISHED = {
  nodes: [
    start([]),
    writes('look', 'Look up', 'Order {{ trigger.orderId }}'),
    writes(
      'say',
      'Answer',
      'We looked at {{ upstream.look.output.text }} for you and refund the whole amount.',
    ),
  ],
  edges: [edge('start', 'look'), edge('look', 'say')],
}
const CHANGED = {
  nodes: [
    start([{ name: 'orderId', type: 'string', required: true }]),
    writes(
      'say',
      'Answer',
      'We looked at {{ upstream.look.output.text }} for you and refund half of the amount.',
    ),
    writes('log', 'Write down', 'done', 'noted'),
  ],
  edges: [edge('start', 'say'), edge('say', 'log')],
}

describe.skipIf(CHROMIUM === null)('the history of a workflow', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test.each([360, 1_440])(
    'a publish shows its difference as a list and on the canvas, with broken tokens and callers, at %d pixels',
    async (width) => {
      const workflowId = await publishedWorkflow(journey, `Refunds ${width}`, PUBLISHED)
      await journey.server.call(`POST /api/v1/workflows/${workflowId}/run`, { body: { input: {} } })
      const { draftRevision } = await storedWorkflow(journey, workflowId)
      await asOperator(journey, `PUT /workflows/${workflowId}`, { draftRevision, draft: CHANGED })
      const window = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?tab=publish'),
        { width },
      )
      const { page } = window
      const list = page.getByRole('list', { name: 'Changes' })
      await list.getByText('1 token can no longer be filled in every run').waitFor()
      await list.getByText('there is no step “Look up”').waitFor()
      await list.getByText('Look up no longer reads').waitFor()
      await list.getByText('the output of “Write down” (noted)').waitFor()
      await page.getByText('orderId is new and required').waitFor()
      await page.getByText('1 call in the last 7 days did not send it').waitFor()
      // The text is compared by words.
      expect(await list.locator('del', { hasText: 'whole' }).count()).toBe(1)
      await expectGood(window, `workflow-difference-list-${width}`)
      await page.getByText('Canvas', { exact: true }).click()
      await page.getByText('removed, drawn as an outline').waitFor()
      // A narrow window shows all of it, and so its steps without separate elements.
      if (width > 1_000) {
        const map = page.getByRole('group', { name: 'Map of the steps' })
        await map.getByRole('button', { name: /^Look up, Edit Fields, Removed/i }).waitFor()
        await map.getByRole('button', { name: /^Write down, Edit Fields, Added/i }).waitFor()
        await map.getByRole('button', { name: /^Answer, Edit Fields, Changed/i }).click()
        await page.getByRole('complementary', { name: 'Answer' }).getByText('half of').waitFor()
      }
      await expectGood(window, `workflow-difference-canvas-${width}`)
      // The address keeps it.
      expect(page.url()).toContain('changes=canvas')
    },
    PATIENCE_MS,
  )

  test.each([360, 1_440])(
    'versions and changes are one timeline; a moment is compared and restored, and the replaced draft is kept, at %d pixels',
    async (width) => {
      const workflowId = await publishedWorkflow(journey, `Past ${width}`, PUBLISHED)
      await renameStep(journey, workflowId, 'look', 'Find the order')
      await renameStep(journey, workflowId, 'look', 'Find it')
      const window = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?tab=versions'),
        { width },
      )
      const { page } = window
      const timeline = page.getByRole('list', { name: 'Versions and changes, newest first' })
      await timeline.getByText('2 changes of the draft').waitFor()
      await timeline.getByText('Live v1').waitFor()
      await expectGood(window, `workflow-timeline-${width}`)
      await timeline.getByRole('button', { name: /^Draft 2 changes of the draft/ }).click()
      const compared = page.getByRole('region', { name: 'Compare', exact: true })
      await compared.getByRole('button', { name: /^Draft revision 1/ }).waitFor()
      await compared.getByRole('button', { name: /^Draft of / }).waitFor()
      const list = page.getByRole('list', { name: 'Changes', exact: true })
      await list.getByText('Look up').waitFor()
      await list.getByText('Find it').first().waitFor()
      expect(new URL(page.url()).searchParams.get('compare')).toBe('r1..r3')
      await expectGood(window, `workflow-timeline-compare-${width}`)
      // The first version is restored; the replaced draft stays in the timeline, and can be restored in turn.
      await timeline.getByRole('button', { name: 'Actions for v1' }).click()
      await page.getByRole('menuitem', { name: 'Restore…' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
      await page.getByText('The draft is version 1 again').first().waitFor()
      const nameNow = async () =>
        nodesOf(await storedWorkflow(journey, workflowId)).find(({ id }) => id === 'look')?.name
      await expect.poll(nameNow, { timeout: 20_000 }).toBe('Look up')
      await timeline.getByText('Before a restore of version 1').waitFor()
      await timeline.getByRole('button', { name: /^Actions for Draft kept/ }).click()
      await page.getByRole('menuitem', { name: 'Restore…' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
      await expect.poll(nameNow, { timeout: 20_000 }).toBe('Find it')
      // Only the last restore can be undone: the draft that the first one made is gone.
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
      await expect.poll(nameNow, { timeout: 20_000 }).toBe('Look up')
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

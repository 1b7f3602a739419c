import type { RunDetail } from '@troupe/contract/builder'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { edge, step } from './orders-graph.ts'
import { newWorkflow, storedWorkflow, workflowPath } from './workflow-steps.ts'

const PAGE_MS = 90_000
const LONG = `Refund of order 7. ${'We looked at it. '.repeat(40)}`

const rows = (value: string) => ({ config: { rows: [{ name: 'text', value }] } })
const GRAPH = {
  nodes: [
    { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
    step('look', 'Look up', rows('Order 7')),
    step('say', 'Answer', rows(LONG)),
  ],
  edges: [edge('start', 'look'), edge('look', 'say')],
}

describe.skipIf(CHROMIUM === null)('values of the last test', { timeout: 300_000 }, () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 300_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test.each([360, 1_440])('are at the steps of the canvas without asking, at %d pixels', async (width) => {
    const workflowId = await newWorkflow(journey, `Values ${width}`, GRAPH)
    const { draftRevision } = await storedWorkflow(journey, workflowId)
    const { executionId } = await asOperator<{ executionId: string }>(
      journey,
      `POST /workflows/${workflowId}/test-runs`,
      { draftRevision, scope: { kind: 'all' } },
    )
    const statusOf = async () => (await asOperator<RunDetail>(journey, `GET /runs/${executionId}`)).status
    await expect.poll(statusOf, { timeout: PAGE_MS }).toBe('completed')
    const window = await journey.open(
      await journey.person('member'),
      workflowPath(journey, workflowId, '?view=map'),
      { width },
    )
    const { page } = window
    page.setDefaultTimeout(PAGE_MS)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/node-previews'))
        asked.push(new URL(request.url()).searchParams.get('nodes') ?? '')
    })
    await page.reload()
    await page.getByText('Values of the test').waitFor()
    const at = (id: string) => page.locator(`[data-step="${id}"]`)
    await at('look').getByText('{"text":"Order 7"}', { exact: true }).waitFor()
    await at('say')
      .locator('[data-preview]')
      .getByText(/^\d+ bytes: .*Refund of order 7/)
      .waitFor()
    await at('say')
      .getByText(/completed in the last test/)
      .waitFor({ state: 'attached' })
    expect(asked.join(',').split(',').toSorted()).toEqual(['look', 'say', 'start'])
    await expectGood(window, `workflow-last-test-${width}`)
    // Another person changes a step: its value is older, and so is that of the step behind it.
    const now = await storedWorkflow(journey, workflowId)
    await asOperator(journey, `POST /workflows/${workflowId}/draft`, {
      draftRevision: now.draftRevision,
      changes: [{ put: { node: step('look', 'Look up', rows('Order 8')) } }],
    })
    await at('look').getByText('older: {"text":"Order 7"}', { exact: true }).waitFor()
    await at('say')
      .getByText(/^older: /)
      .waitFor()
    await at('start').getByText('older', { exact: false }).waitFor({ state: 'detached' })
    // From there the value is edited as a pin.
    await at('look').press('Enter')
    await page.getByRole('heading', { name: 'Output of the last test' }).waitFor()
    await page.getByText('have changed since then').first().waitFor()
    await expectGood(window, `workflow-last-test-older-${width}`)
    // No screenshot of the dialog: a full-page screenshot resizes the window for a moment, which moves the panel and
    // closes its dialog.
    await page.getByRole('button', { name: 'Edit as pin…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Pin an output to “Look up”' })
    await dialog.getByText('"Order 7"').waitFor()
    await dialog.getByRole('button', { name: 'Pin', exact: true }).press('Enter')
    await expect
      .poll(() => asOperator(journey, `GET /workflows/${workflowId}/pins`))
      .toMatchObject({ data: [{ nodeId: 'look', output: { text: 'Order 7' } }] })
    expect(window.faults).toEqual([])
    await window.context.close()
  })
})

import { propertyOf } from '@troupe/contract'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'

const PATIENCE_MS = 120_000
const POLL = { timeout: 20_000, interval: 50 }

describe.skipIf(CHROMIUM === null)('a budget that is used up', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const call = (target: string, body: object) =>
    journey.server.call(target, { key: journey.server.seed.keys.project, body })

  /** Two agents of the project, one after the other; the first uses up the budget. */
  function summaries(): Promise<string> {
    const { organizationId, projectId, agents } = journey.server.seed
    const agent = (id: string, name: string, x: number, message: string) => ({
      ...{ id, type: 'ai-agent', name, position: { x, y: 0 } },
      config: { agentId: agents.project, message },
    })
    const edge = (source: string, target: string) => ({ id: target, source, sourceHandle: 'out', target })
    const graph = {
      nodes: [
        { id: 'start', type: 'manual-trigger', name: 'Start', position: { x: 0, y: 0 }, config: {} },
        agent('read', 'Read', 1, '[[reply: read]] [[usage: 900/100]]'),
        agent('write', 'Write', 2, '[[reply: written]]'),
      ],
      edges: [edge('start', 'read'), edge('read', 'write')],
    }
    const { database } = journey.server.context
    return seedWorkflow(database, { organizationId, projectId, name: 'Summaries', graph })
  }

  test(
    'refuses calls and pauses a run, which Home and the run explain; an admin raises it, and the run continues by itself',
    async () => {
      const { agents, projectId } = journey.server.seed
      await asOperator(journey, 'PUT /budgets', { metric: 'llm_tokens', limit: 1_000, projectId })
      const started = await call(`POST /api/v1/workflows/${await summaries()}/run-async`, {})
      const runId = String(propertyOf(started.body, 'executionId'))
      const status = async () => propertyOf(await asOperator(journey, `GET /runs/${runId}`), 'status')
      await expect.poll(status, { timeout: 10_000 }).toBe('paused')
      const ask = () => call(`POST /api/v1/agents/${agents.project}/run`, { message: '[[reply: here]]' })
      expect(await ask()).toMatchObject({ status: 429, body: { error: 'budget_exceeded' } })

      const window = await journey.open(await journey.person('admin', 'Ada'), `/o/${journey.slug}`)
      const { page } = window
      await page.getByRole('link', { name: /100% of the budget for tokens is used.*Mine/ }).waitFor()
      const waiting = page.getByRole('link', { name: /Summaries.*the budget for tokens is used up/ })
      await waiting.waitFor()
      await expectGood(window, 'budget-home')
      await waiting.click()
      await expect.poll(() => page.title(), POLL).toMatch(/^Summaries: paused/)
      await page.getByText(/^The budget for tokens is used up\. The run resumes automatically/).waitFor()
      await expectGood(window, 'budget-run')

      // A colleague watches the run while the limit is raised, and does nothing.
      const watching = await journey.open(
        await journey.person('viewer', 'Vic'),
        `/o/${journey.slug}/runs/${runId}`,
      )
      await expect.poll(() => watching.page.title(), POLL).toMatch(/^Summaries: paused/)

      await page.getByRole('link', { name: 'View budgets' }).click()
      const row = page.getByRole('table', { name: 'Budgets' }).getByRole('row', { name: /Model tokens/ })
      await row.getByText('1,000 of 1,000').waitFor()
      await row.getByRole('button', { name: 'Actions for Model tokens, Mine' }).click()
      await page.getByRole('menuitem', { name: 'Change…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Set a budget' })
      await dialog.getByRole('textbox', { name: 'Limit per month' }).fill('50000')
      await dialog.getByRole('button', { name: 'Save budget' }).click()
      await dialog.waitFor({ state: 'detached' })
      await row.getByText(/of 50,000/).waitFor()
      await expectGood(window, 'budget-raised')

      await expect.poll(() => watching.page.title(), POLL).toMatch(/^Summaries: completed/)
      expect(await ask()).toMatchObject({ status: 200, body: { content: 'here', success: true } })
      expect([...window.faults, ...watching.faults]).toEqual([])
      await window.context.close()
      await watching.context.close()
    },
    PATIENCE_MS,
  )
})

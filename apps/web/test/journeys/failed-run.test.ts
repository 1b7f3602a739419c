import { propertyOf } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 120_000
const POLL = { timeout: 20_000, interval: 50 }

const REFUND = {
  nodes: [
    {
      id: 'request',
      type: 'http-request',
      name: 'Refund requested',
      config: { fields: [{ name: 'order', type: 'string', required: true }] },
    },
    {
      id: 'pay',
      type: 'edit-fields',
      name: 'Pay',
      config: { rows: [{ name: 'paid', value: '{{ trigger.oder }}' }] },
    },
  ],
  edges: [{ id: 'e1', source: 'request', target: 'pay' }],
}

describe.skipIf(CHROMIUM === null)('a failed run', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test(
    'leads from Home to the setting that failed it, which is fixed and published, and the same input completes',
    async () => {
      const { workflowId } = await asOperator<BuilderWorkflow>(journey, 'POST /workflows', {
        name: 'Refunds',
        draft: REFUND,
      })
      await asOperator(journey, `POST /workflows/${workflowId}/publish`)
      const ran = await journey.server.call(`POST /api/v1/workflows/${workflowId}/run`, {
        body: { input: { order: 'A-17' } },
      })
      const failedId = String(propertyOf(ran.body, 'executionId'))

      const window = await journey.open(await journey.person('member', 'Eva'), `/o/${journey.slug}`)
      const { page } = window
      await page.getByRole('link', { name: /Refunds.*1 failure/ }).click()
      await page.waitForURL(new RegExp(`/runs/${failedId}`))
      await expect.poll(() => page.title(), POLL).toMatch(/^Refunds: failed/)
      const here = page.url()
      await page.goto(`${here}?node=another`)
      await page.getByRole('complementary').getByText('This run has no such step', { exact: false }).waitFor()
      await page.goto(`${here}?nodes=failed`)
      await page.getByText('1 in the order of the run.').waitFor()
      await page.goto(here)
      const row = page.getByRole('table', { name: 'Steps' }).getByRole('row', { name: /Pay/ })
      await row.getByText('Failed', { exact: true }).last().waitFor()
      await row.getByRole('link').first().click()

      // The token is named where the run failed, and marked at its setting in the draft.
      const sheet = page.getByRole('complementary', { name: 'Pay' })
      await sheet.getByText(/could not resolve \{\{ ?trigger\.oder ?\}\}/).waitFor()
      await sheet.getByText('No input: the step failed while its settings were resolved.').waitFor()
      await sheet.getByText('None: the step failed.').waitFor()
      await expectGood(window, 'failed-run-node')
      await sheet.getByRole('link', { name: 'Open this step' }).click()
      const panel = page.getByRole('complementary', { name: 'Pay' })
      await panel.getByText('{{ trigger.oder }}', { exact: true }).waitFor()
      await panel.getByRole('button', { name: 'Edit' }).click()
      const value = panel.getByRole('textbox', { name: 'Value' })
      await expectGood(window, 'failed-run-setting')
      await value.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText('{{ trigger.order }}')
      await page.getByRole('tab', { name: 'Publish' }).click()
      await page.getByRole('button', { name: 'Publish version 2' }).click()
      await page.getByText('Version 2 is live').first().waitFor()

      // The failed run is run again: the same input, the version that is live now.
      await page.getByRole('tab', { name: 'Runs' }).click()
      await page.getByRole('table', { name: 'Last runs' }).getByRole('link').first().click()
      await page.waitForURL(new RegExp(`/runs/${failedId}`))
      await page.getByRole('button', { name: 'Run again' }).click()
      await page.waitForURL(
        (url) => /\/runs\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(failedId),
      )
      await expect.poll(() => page.title(), POLL).toMatch(/^Refunds: completed/)
      const again = page.url().split('/').at(-1)
      const { status, versionNumber, workflowRun } = await asOperator<Record<string, unknown>>(
        journey,
        `GET /runs/${again}`,
      )
      expect({ status, versionNumber, input: propertyOf(workflowRun, 'input') }).toMatchObject({
        status: 'completed',
        versionNumber: 2,
        input: { order: 'A-17' },
      })
      expect(JSON.stringify(propertyOf(workflowRun, 'output'))).toContain('A-17')
      expect(window.faults).toEqual([])
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'failures are grouped by cause, and a cause links to all of its runs',
    async () => {
      for (const [name, times] of [
        ['Invoices', 2],
        ['Parcels', 1],
      ] as const) {
        const { workflowId } = await asOperator<BuilderWorkflow>(journey, 'POST /workflows', {
          ...{ name, draft: REFUND },
        })
        await asOperator(journey, `POST /workflows/${workflowId}/publish`)
        for (let count = 0; count < times; count += 1) {
          await journey.server.call(`POST /api/v1/workflows/${workflowId}/run`, {
            body: { input: { order: `A-${count}` } },
          })
        }
      }
      const window = await journey.open(
        await journey.person('member'),
        `/o/${journey.slug}/runs?status=failed&range=day&kind=workflow`,
      )
      const { page, faults } = window
      const causes = page.getByRole('region', { name: 'By cause' })
      await causes.getByRole('link', { name: /Parcels/ }).waitFor()
      await expectGood(window, 'runs-causes-1280')
      await page.setViewportSize({ width: 360, height: 740 })
      await expectGood(window, 'runs-causes-360')
      await page.setViewportSize({ width: 1280, height: 860 })
      await causes.getByRole('link', { name: /Invoices/ }).click()
      const rows = page.getByRole('table', { name: 'Runs' }).locator('tbody tr[data-index]')
      await expect.poll(() => rows.count()).toBe(2)
      const search = () => new URL(page.url()).searchParams
      expect([search().get('cause'), search().get('kind'), search().get('range')]).toEqual([
        ...[expect.stringContaining('trigger.oder'), 'workflow', 'day'],
      ])
      expect(await causes.count()).toBe(0)
      // Home leads here with the id of a workflow, which is shown by its name.
      const filters = page.getByRole('list', { name: 'Filters' })
      await page.goto(`${journey.url}/o/${journey.slug}`)
      await page.getByRole('link', { name: /Invoices.*2 failures/ }).click()
      await filters.getByText('Invoices', { exact: true }).waitFor()
      await expect.poll(() => rows.count()).toBe(2)
      await page.getByRole('button', { name: 'Remove the filter What' }).click()
      await filters.getByText('Invoices', { exact: true }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /Cause/ }).click()
      await expect.poll(() => search().has('cause')).toBe(false)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

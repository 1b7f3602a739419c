import type { BuilderWorkflow, PublishPreview } from '@troupe/contract/builder'
import { freePort } from '@troupe/test-kit/free-port'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { newWorkflow, publishedWorkflow } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

const request = {
  id: 'request',
  type: 'http-request',
  name: 'Refund requested',
  config: { fields: [{ name: 'order', type: 'string', required: true }] },
}
const approve = {
  id: 'approve',
  type: 'human-review',
  name: 'Approve',
  config: { title: 'Refund {{ trigger.order }}' },
}
const pay = (value: string) => ({
  id: 'pay',
  type: 'edit-fields',
  name: 'Pay',
  config: { rows: [{ name: 'order', value }] },
})
const WITH_REVIEW = {
  nodes: [request, approve, pay('{{ trigger.order }}')],
  edges: [
    { id: 'e1', source: 'request', target: 'approve' },
    { id: 'e2', source: 'approve', sourceHandle: 'approved', target: 'pay' },
  ],
}
const BROKEN = {
  nodes: [request, pay('{{ upstream.ghost.output }}')],
  edges: [{ id: 'e1', source: 'request', target: 'pay' }],
}

describe.skipIf(CHROMIUM === null)('workflows, made, edited and published', () => {
  let journey: Journey
  beforeAll(async () => {
    const port = await freePort()
    journey = await startJourney({ port, env: { TROUPE_PUBLIC_URL: `http://127.0.0.1:${port}` } })
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const at = (path: string) => `/o/${journey.slug}${path}`
  const call = <Body>(target: string, body?: object) => asOperator<Body>(journey, target, body)
  const statusOf = async (executionId: string) =>
    (await call<{ status: string }>(`GET /runs/${executionId}`)).status

  /** Replaces the content of a code field. */
  async function write(page: Page, label: string, text: string) {
    await page.getByRole('textbox', { name: label }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
  }
  async function saveDraft(page: Page, workflowId: string, draft: object) {
    await page.goto(`${journey.url}${at(`/workflows/${workflowId}?view=json`)}`)
    await write(page, 'Draft', JSON.stringify(draft, null, 2))
    await page.getByRole('button', { name: 'Save to draft' }).click()
    await page.getByText('Saved to the draft').first().waitFor()
  }
  async function publish(page: Page, version: number) {
    await page.getByRole('tab', { name: 'Publish' }).click()
    await page.getByRole('button', { name: `Publish version ${version}` }).click()
  }

  test(
    'a bad publish is previewed, visible afterwards, and reverted in three clicks; an open review stays on its version',
    async () => {
      const owner = await journey.person('owner', 'Olga')
      const { page, faults } = await journey.open(owner, at('/workflows'))
      await page.getByRole('button', { name: 'New workflow' }).first().click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Refunds')
      await page.getByText('By a webhook').click()
      await page.getByRole('button', { name: 'Create workflow' }).click()
      await page.getByRole('heading', { level: 1, name: 'Refunds' }).waitFor()
      const workflowId = new URL(page.url()).pathname.split('/').at(-1) ?? ''

      await page.getByRole('link', { name: 'Review and publish' }).click()
      await page.getByRole('textbox', { name: 'Label' }).fill('First')
      await page.getByRole('button', { name: 'Publish version 1' }).click()
      await page.getByText('Version 1 is live').first().waitFor()
      await page.getByText('The draft is published').waitFor()
      await page.getByRole('button', { name: 'Run…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
      await page.waitForURL(/\/runs\//)
      await expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(/completed/)

      await saveDraft(page, workflowId, WITH_REVIEW)
      await publish(page, 2)
      await page.getByText('Version 2 is live').first().waitFor()
      const { executionId } = await call<{ executionId: string }>(`POST /workflows/${workflowId}/runs`, {
        payload: { order: 'A-1' },
      })
      await vi.waitFor(async () => expect(await statusOf(executionId)).toBe('awaiting_approval'), 20_000)

      await saveDraft(page, workflowId, BROKEN)
      await publish(page, 3)
      const question = page.getByRole('alertdialog')
      await question.getByText(/ghost/).waitFor()
      await question.getByRole('button', { name: 'Publish anyway' }).click()
      await page.getByText('Version 3 is live').first().waitFor()
      const bad = await call<{ executionId: string }>(`POST /workflows/${workflowId}/runs`, {
        payload: { order: 'A-2' },
      })
      await vi.waitFor(async () => expect(await statusOf(bad.executionId)).toBe('failed'), 20_000)
      await page.getByRole('tab', { name: 'Runs' }).click()
      await page.getByRole('table', { name: 'Last runs' }).getByText('Failed').first().waitFor()

      await page.getByRole('tab', { name: 'Versions' }).click()
      await page.getByRole('button', { name: 'Actions for v2' }).click()
      await page.getByRole('menuitem', { name: 'Restore…' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
      await page.getByText('The draft is version 2 again').first().waitFor()
      await page.getByRole('tab', { name: 'Publish' }).click()
      await page.getByText('1 run waiting stays on v2').waitFor()
      await page.getByRole('button', { name: 'Publish version 4' }).click()
      await page.getByText('Version 4 is live').first().waitFor()

      const { data } = await call<{ data: { reviewId: string }[] }>(`GET /reviews?status=open&limit=100`)
      const decided = await journey.server.call(`POST /api/v1/reviews/${data[0]?.reviewId}/decision`, {
        body: { decision: 'approve' },
      })
      expect(decided.status).toBe(200)
      await vi.waitFor(async () => expect(await statusOf(executionId)).toBe('completed'), 20_000)
      expect(await call(`GET /runs/${executionId}`)).toMatchObject({ versionNumber: 2 })
      expect(faults).toEqual([])
    },
    3 * PATIENCE_MS,
  )

  test(
    'a publish shows the next fires in the zone of the schedule, asks also after a double click, and stays correct afterwards',
    async () => {
      const daily = {
        id: 'daily',
        type: 'recurrence',
        name: 'Every morning',
        config: { mode: 'cron', cron: '0 9 * * *', timezone: 'Asia/Tokyo' },
      }
      const workflowId = await newWorkflow(journey, 'Reports', {
        nodes: [daily, pay('{{ upstream.ghost.output }}')],
        edges: [{ id: 'e1', source: 'daily', target: 'pay' }],
      })
      const window = await journey.open(
        await journey.person('owner', 'Olga'),
        at(`/workflows/${workflowId}?tab=publish`),
      )
      const { page, faults } = window
      await page.getByText('Times in Asia/Tokyo').waitFor()
      expect(await page.locator('time').allInnerTexts()).toContainEqual(expect.stringMatching(/, 09:00$/))
      await page.getByRole('button', { name: 'Publish version 1' }).dblclick()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Publish anyway' }).click()
      await page.getByText('The draft is published').waitFor()
      const findings = page.getByRole('list', { name: 'Findings' })
      await findings.getByText('Fails runs').waitFor()
      await expectGood(window, 'published-with-errors')
      await findings.getByRole('button', { name: 'Pay' }).click()
      await page.getByRole('complementary', { name: 'Pay' }).waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.dataset.key')).toBe('pay')
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'input survives a reload, and a colleague’s save of another step is merged',
    async () => {
      const workflowId = await publishedWorkflow(journey, 'Shared', WITH_REVIEW)
      const ana = await journey.person('member', 'Ana')
      const { page, faults } = await journey.open(ana, at(`/workflows/${workflowId}?view=json`))
      const mine = {
        ...WITH_REVIEW,
        nodes: [{ ...request, name: 'By Ana' }, approve, pay('{{ trigger.order }}')],
      }
      await write(page, 'Draft', JSON.stringify(mine, null, 2))
      await page.getByText('Your changes are kept on this device.').waitFor()
      // Written within a third of a second, or when the page is left.
      await page.reload()
      await page.getByRole('textbox', { name: 'Draft' }).getByText('By Ana').waitFor()

      const { draft, draftRevision } = await call<BuilderWorkflow>(`GET /workflows/${workflowId}`)
      const nodes = draft.nodes as { id: string }[]
      const theirs = { ...nodes.find(({ id }) => id === 'pay'), name: 'By the operator' }
      await call(`POST /workflows/${workflowId}/draft`, {
        draftRevision,
        changes: [{ put: { node: theirs } }],
      })
      await page.getByText('The operator saved this draft after you started.').waitFor()
      await page.getByRole('button', { name: 'Save to draft' }).click()
      await page.getByText('Saved to the draft').first().waitFor()
      const names = (await call<BuilderWorkflow>(`GET /workflows/${workflowId}`)).draft.nodes as {
        name: string
      }[]
      expect(names.map(({ name }) => name)).toEqual(['By Ana', 'Approve', 'By the operator'])
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a step is read in the outline and changed, and the preview has the effects on callers',
    async () => {
      const workflowId = await publishedWorkflow(journey, 'Orders', BROKEN)
      await journey.server.call(`POST /api/v1/workflows/${workflowId}/run`, { body: { input: { note: 1 } } })
      const window = await journey.open(await journey.person('member'), at(`/workflows/${workflowId}`))
      const { page } = window
      await page.getByRole('row', { name: 'Pay' }).click()
      await page.getByText('{{ upstream.ghost.output }}').first().waitFor()
      await page.getByRole('row', { name: 'Refund requested' }).click()
      await page.getByRole('button', { name: 'Edit' }).click()
      const panel = page.getByRole('complementary', { name: 'Refund requested' })
      await panel.getByRole('button', { name: 'Add', exact: true }).click()
      await panel.getByRole('textbox', { name: 'Name', exact: true }).last().fill('customer')
      await panel.getByRole('button', { name: /Type/ }).last().click()
      await page.getByRole('option', { name: 'Text', exact: true }).click()
      await panel.getByText('Required', { exact: true }).last().click()
      await page.getByRole('tab', { name: 'Publish' }).click()
      await page.getByText('customer is new and required').waitFor()
      await page.getByText('1 call in the last 7 days did not send it').waitFor()
      const preview = await call<PublishPreview>(`GET /workflows/${workflowId}/publish-preview`)
      expect(preview.contract).toMatchObject([{ field: 'customer', change: 'added', callsLacking: 1 }])
      await page.getByRole('tab', { name: 'Editor' }).click()
      await page.getByRole('button', { name: 'Close editor' }).click()
      await page.getByRole('button', { name: 'Add step' }).click()
      await page.getByRole('dialog').getByRole('menuitem', { name: 'AI Agent' }).click()
      await page.getByRole('complementary', { name: 'AI Agent' }).waitFor()
      await page.getByRole('button', { name: 'Close editor' }).click()
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
      await page.getByRole('row', { name: 'AI Agent' }).waitFor()
      await page.getByRole('tab', { name: 'Versions' }).click()
      // The draft is immediately compared with the live version.
      const compared = page.getByRole('region', { name: 'Compare', exact: true })
      await compared.getByRole('button', { name: /^v1/ }).waitFor()
      await page.getByText('Payload fields, 2').first().waitFor()
      await expectGood(window, 'workflow-compare-1280')
    },
    PATIENCE_MS,
  )

  test.each(WIDTHS)(
    'the parts of a workflow have no visual faults at %d px, in light and dark',
    async (width) => {
      const workflowId = await publishedWorkflow(journey, `Looks ${width}`, {
        nodes: [
          {
            id: 'form',
            type: 'form-trigger',
            name: 'Ask',
            config: { title: 'Ask', fields: [{ name: 'message', label: 'Message', type: 'text' }] },
          },
          {
            id: 'daily',
            type: 'recurrence',
            name: 'Every morning',
            config: { mode: 'cron', cron: '0 9 * * MON-FRI', timezone: 'Europe/Berlin' },
          },
          ...WITH_REVIEW.nodes,
          {
            id: 'late',
            type: 'if-else',
            name: 'Late?',
            config: { conditions: [{ left: '{{ trigger.order }}', op: 'eq', right: 'x' }] },
          },
        ],
        edges: [
          ...WITH_REVIEW.edges,
          { id: 'e3', source: 'daily', target: 'pay' },
          { id: 'e4', source: 'form', target: 'pay' },
          { id: 'e5', source: 'approve', sourceHandle: 'rejected', target: 'late' },
        ],
      })
      await call(`PUT /workflows/${workflowId}`, { draft: BROKEN })
      const window = await journey.open(await journey.person('owner'), at('/workflows'), { width })
      const { page } = window
      const paths = [
        '/workflows',
        '/workflows?create=1',
        '/workflows?import=1',
        `/workflows/${workflowId}`,
        `/workflows/${workflowId}?node=pay`,
        `/workflows/${workflowId}?view=json`,
        `/workflows/${workflowId}?tab=triggers`,
        `/workflows/${workflowId}?tab=publish`,
        `/workflows/${workflowId}?tab=versions&compare=1..draft`,
        `/workflows/${workflowId}?tab=runs`,
        `/workflows/${workflowId}?run=1`,
      ]
      for (const path of paths) {
        await page.goto(journey.url + at(path))
        await page.getByRole(/create|import|run=1/.test(path) ? 'dialog' : 'main').waitFor()
        await page.waitForLoadState('networkidle')
        await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
        const name = path.replace(workflowId, 'one').replaceAll(/\W+/g, '-')
        await expectGood(window, `page${name}-${width}`)
      }
      await window.context.close()
    },
    4 * PATIENCE_MS,
  )

  test(
    'a deleted workflow is restored from the notice of its deletion, with its draft and its versions',
    async () => {
      const workflowId = await publishedWorkflow(journey, 'Returns', WITH_REVIEW)
      const window = await journey.open(await journey.person('owner', 'Olga'), at(`/workflows/${workflowId}`))
      const { page } = window
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
      await page.getByRole('textbox').fill('Returns')
      await page.getByRole('button', { name: 'Delete workflow' }).click()
      await page.getByRole('button', { name: 'Restore…' }).click()
      await page.getByText('Olga deleted “Returns”', { exact: false }).waitFor()
      await expectGood(window, 'journey-workflow-deleted')
      await page.getByRole('button', { name: 'Restore', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Returns' }).waitFor()
      const { draft, deployment } = await call<BuilderWorkflow>(`GET /workflows/${workflowId}`)
      expect({ draft, deployment }).toMatchObject({ draft: WITH_REVIEW, deployment: null })
      await publish(page, 2)
      await page.getByText('Version 2', { exact: false }).first().waitFor()

      await page.goto(`${journey.url}${at(`/workflows/${crypto.randomUUID()}`)}`)
      await page.getByRole('button', { name: 'Restore', exact: true }).click()
      await page.getByText('No workflow with this address was deleted', { exact: false }).waitFor()
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a viewer reads everything and sees who may do the rest',
    async () => {
      const workflowId = await publishedWorkflow(journey, 'Read only', WITH_REVIEW)
      const window = await journey.open(
        await journey.person('viewer'),
        at(`/workflows/${workflowId}?tab=triggers`),
      )
      const { page } = window
      await page.getByText('Only members, admins and owners can do this').first().waitFor()
      await page.getByRole('tab', { name: 'Editor' }).click()
      await page.getByRole('row', { name: 'Approve', exact: true }).click()
      expect(await page.getByRole('button', { name: 'Edit' }).isDisabled()).toBe(true)
      await page.getByRole('tab', { name: 'Publish' }).click()
      await page.getByText('Only members, admins and owners can do this').first().waitFor()
      await page.getByRole('heading', { name: 'The draft is published' }).waitFor()
      await expectGood(window, 'workflow-viewer-1280')
      await page.goto(journey.url + at(`/workflows/${workflowId}?view=json`))
      await page.getByRole('textbox', { name: 'Draft' }).waitFor()
      await page.keyboard.press('Control+k')
      const save = page.getByRole('menuitem', { name: /Save to draft/ })
      await save.getByText('Only members, admins and owners can do this').waitFor()
      expect(await save.getAttribute('aria-disabled')).toBe('true')
      await page.goto(journey.url + at('/workflows'))
      await page.getByRole('button', { name: 'Actions for Read only' }).click()
      const remove = page.getByRole('menuitem', { name: 'Delete…' })
      await remove.getByText('Only members, admins and owners can do this').waitFor()
      expect(await remove.getAttribute('aria-disabled')).toBe('true')
    },
    PATIENCE_MS,
  )
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from './held-calls.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { newWorkflow, nodesOf, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

/** Runs in the page: how many edits of steps the browser keeps. */
const COUNT_DRAFTS = `new Promise((resolve) => {
  const opened = indexedDB.open('troupe', 1)
  opened.onsuccess = () => {
    const keys = opened.result.transaction('values').objectStore('values').getAllKeys()
    keys.onsuccess = () => {
      opened.result.close()
      resolve(keys.result.filter((key) => key.includes('/node/')).length)
    }
  }
})`

/** Incomplete JSON: not a valid setting yet, so it is kept in its step. */
const HALF = '{"rows": [{"name": "order", '

describe.skipIf(CHROMIUM === null)('the draft of a workflow, edited step by step', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const nameOf = async (workflowId: string) => nodesOf(await storedWorkflow(journey, workflowId))[1]?.name
  const settingsOf = (page: Page) =>
    page.getByRole('complementary').getByRole('textbox', { name: 'Settings as JSON' })
  /** Types incomplete JSON as the settings of the step that is edited. */
  const typeHalf = async (page: Page) => {
    await page.getByRole('complementary').getByRole('radio', { name: 'JSON' }).click()
    await settingsOf(page).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(HALF)
  }

  test(
    'incomplete JSON is marked at its step, and a publish reports that it omits it, while the name is saved',
    async () => {
      const workflowId = await newWorkflow(journey, 'Not saved')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=pay&edit=1'),
      )
      const panel = page.getByRole('complementary')
      await typeHalf(page)
      await panel.getByRole('textbox', { name: 'Name of the step' }).fill('Pay twice')
      await expect.poll(() => nameOf(workflowId)).toBe('Pay twice')
      const row = page.getByRole('row', { name: 'Pay twice' })
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await row.getByText('Not saved').waitFor()
      await page.getByRole('tab', { name: 'Publish' }).click()
      await page.getByText('1 step has edits that are not saved').waitFor()
      await page.getByRole('link', { name: 'Pay twice' }).click()
      await panel.getByRole('button', { name: 'Discard changes' }).click()
      await row.getByText('Not saved').waitFor({ state: 'detached' })
      await page.getByText('Your changes in Pay twice were discarded').waitFor()
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
      await expect.poll(() => settingsOf(page).innerText()).toContain(HALF.trim())
      await panel.getByRole('button', { name: 'Discard changes' }).click()
      await row.getByText('Not saved').waitFor({ state: 'detached' })
      await page.getByRole('tab', { name: 'Publish' }).click()
      await page.getByRole('button', { name: 'Publish version 1' }).waitFor()
      expect(await page.getByText('not saved to the draft').count()).toBe(0)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'offline, Ctrl+S shows why a step is not saved, and it is saved when the network is back',
    async () => {
      const workflowId = await newWorkflow(journey, 'Offline')
      const { page, context } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=pay&edit=1'),
      )
      const name = page.getByRole('textbox', { name: 'Name of the step' })
      await name.fill('Pay twice')
      await context.setOffline(true)
      await page.getByText('nothing is sent', { exact: false }).waitFor()
      const notice = page
        .getByRole('region', { name: 'Notices' })
        .getByText('You are offline.', { exact: true })
      for (const place of [name, page.getByRole('tab', { name: 'Editor' })]) {
        await place.press('Control+s')
        await notice.waitFor()
        await page.getByRole('button', { name: 'Dismiss' }).click()
      }
      await page.getByText('Not saved: the server cannot be reached.').first().waitFor()
      await context.setOffline(false)
      await expect.poll(() => nameOf(workflowId)).toBe('Pay twice')
    },
    PATIENCE_MS,
  )

  test(
    'input into a step during its save stays in its editor, and is saved after it',
    async () => {
      const workflowId = await newWorkflow(journey, 'Step typed on')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=pay'),
      )
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const name = page.getByRole('complementary').getByRole('textbox', { name: 'Name of the step' })
      const saving = await hold(page, 'POST', /\/draft$/)
      await name.fill('Paid')
      await expect.poll(() => saving.held.length).toBe(1)
      await name.fill('Paid back')
      await saving.release()
      await expect.poll(() => nameOf(workflowId)).toBe('Paid back')
      expect(await name.inputValue()).toBe('Paid back')
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a new step shows none of the input of a removed one',
    async () => {
      const workflowId = await newWorkflow(journey, 'Removed and added')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=pay'),
      )
      const panel = page.getByRole('complementary')
      const add = async () => {
        await page.getByRole('row', { name: 'Pay' }).click()
        await page.getByRole('button', { name: 'Add step' }).click()
        await page.getByRole('dialog').getByRole('menuitem', { name: 'AI Agent' }).click()
        await page.getByRole('complementary', { name: 'AI Agent' }).waitFor()
      }
      await add()
      await panel.getByRole('textbox', { name: 'Name of the step' }).fill('A secret name')
      await typeHalf(page)
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
      await add()
      expect(await panel.getByRole('textbox', { name: 'Name of the step' }).inputValue()).toBe('AI Agent')
      expect(await panel.getByText('kept on this device').count()).toBe(0)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'input of a removed step is restored with Undo only, which leaves another tab of the workflow alone',
    async () => {
      const workflowId = await newWorkflow(journey, 'Removed with an edit')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=pay&edit=1'),
      )
      const panel = page.getByRole('complementary')
      await typeHalf(page)
      await panel.getByText('kept on this device').waitFor()
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await expect.poll(() => page.evaluate(COUNT_DRAFTS)).toBe(1)
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByText('Pay is removed').waitFor()
      await expect.poll(() => page.evaluate(COUNT_DRAFTS)).toBe(0)
      await page.getByText('Removed while you edited them').waitFor({ state: 'detached' })
      await page.getByRole('tab', { name: 'Versions' }).click()
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
      await page.getByText('Pay is back in the draft').waitFor()
      expect(new URL(page.url()).searchParams.get('node')).toBeNull()
      await page.getByRole('tab', { name: 'Editor' }).click()
      await page.getByRole('row', { name: 'Pay' }).click()
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await expect.poll(() => settingsOf(page).innerText()).toContain(HALF.trim())
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an example waits for its agent, and reports if it could not be loaded',
    async () => {
      const { page } = await journey.open(await journey.person('member'), `/o/${journey.slug}`)
      const first = /\/agents\?(?=.*status=active)(?=.*limit=1(&|$))/
      await page.route(first, (route) => route.abort())
      await page.goto(`${journey.url}/o/${journey.slug}/workflows?create=1&example=1`)
      const dialog = page.getByRole('dialog')
      await dialog.getByText('The example’s agent could not be loaded').waitFor()
      const create = dialog.getByRole('button', { name: 'Create workflow' })
      expect(await create.isDisabled()).toBe(true)
      await page.unroute(first)
      await dialog.getByRole('button', { name: 'Retry' }).click()
      await dialog.getByText('The example’s agent could not be loaded').waitFor({ state: 'detached' })
      await create.click()
      await page.getByRole('heading', { level: 1, name: 'Questions from a form' }).waitFor()
      const workflowId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      expect(nodesOf(await storedWorkflow(journey, workflowId))).toMatchObject([
        { id: 'start' },
        { id: 'agent', config: { agentId: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
      ])
    },
    PATIENCE_MS,
  )

  test(
    'input into a step that a colleague removes stays, and its next change restores the step',
    async () => {
      const workflowId = await newWorkflow(journey, 'Removed by a colleague')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=pay&edit=1'),
      )
      const panel = page.getByRole('complementary')
      await typeHalf(page)
      await panel.getByText('kept on this device').waitFor()
      const { draftRevision } = await storedWorkflow(journey, workflowId)
      const changes = [{ remove: { edgeId: 'e1' } }, { remove: { nodeId: 'pay' } }]
      await asOperator(journey, `POST /workflows/${workflowId}/draft`, { draftRevision, changes })
      await panel.getByText('This step was removed').waitFor()
      // The caret is still where it was.
      await page.keyboard.insertText('"value": ')
      const typed = `${HALF}"value":`
      await expect.poll(() => settingsOf(page).innerText()).toContain(typed)
      // It stays reachable after the editor is closed.
      await panel.getByRole('button', { name: 'Close editor' }).click()
      const kept = page.getByRole('region', { name: 'Removed while you edited them' })
      await kept.getByRole('button', { name: 'Pay' }).click()
      await panel.getByText('This step was removed').waitFor()
      await expect.poll(() => settingsOf(page).innerText()).toContain(typed)
      await settingsOf(page).click()
      await page.keyboard.press('Control+End')
      await page.keyboard.insertText('"2"}]}')
      await page.getByRole('row', { name: 'Pay' }).waitFor()
      await panel.getByText('This step was removed').waitFor({ state: 'detached' })
      await expect
        .poll(async () => nodesOf(await storedWorkflow(journey, workflowId)))
        .toMatchObject([
          { id: 'start' },
          { id: 'pay', name: 'Pay', config: { rows: [{ name: 'order', value: '2' }] } },
        ])
      await panel.getByRole('button', { name: 'Close editor' }).click()
      // It is unreachable now.
      await page.getByRole('region', { name: 'Never reached' }).waitFor()
      await panel.getByRole('button', { name: 'Connect…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByText('Pay is connected').waitFor()
      await page.getByRole('region', { name: 'Never reached' }).waitFor({ state: 'detached' })
      await expect
        .poll(async () => (await storedWorkflow(journey, workflowId)).draft)
        .toMatchObject({ edges: [{ source: 'start', target: 'pay' }] })
      await expect.poll(() => page.evaluate('document.activeElement.dataset.key')).toBe('pay')
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'input of a closed step survives the page, even if the browser’s database accepts nothing',
    async () => {
      const workflowId = await newWorkflow(journey, 'Closed and left')
      const window = await journey.open(await journey.person('member'), `/o/${journey.slug}/workflows`)
      const { page, context } = window
      await context.addInitScript(
        'IDBObjectStore.prototype.put = () => { throw new DOMException("", "QuotaExceededError") }',
      )
      // The page confirms before navigation.
      page.on('dialog', (question) => void question.accept())
      await page.goto(`${journey.url}${workflowPath(journey, workflowId, '?node=pay&edit=1')}`)
      await context.route(/\/draft$/, (route) => route.abort())
      const panel = page.getByRole('complementary')
      const name = panel.getByRole('textbox', { name: 'Name of the step' })
      await name.fill('Pay, typed and closed')
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await panel.getByRole('button', { name: 'Edit' }).waitFor()
      await page.reload()
      await panel.getByRole('button', { name: 'Edit' }).click()
      await expect.poll(() => name.inputValue()).toBe('Pay, typed and closed')
      await context.unroute(/\/draft$/)
      await name.press('Control+s')
      await expect.poll(() => nameOf(workflowId)).toBe('Pay, typed and closed')
    },
    PATIENCE_MS,
  )
})

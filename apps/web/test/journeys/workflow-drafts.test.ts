import type { BuilderWorkflow } from '@troupe/builder-contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from './held-calls.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'

/** A page that is slow to answer on a loaded machine is no failure of what it shows. */
const PATIENCE_MS = 90_000

/** Runs in the page: what only the editor's own style sheet says. */
const STYLES_OF_EDITOR = `(() => {
  const editor = document.querySelector('.cm-editor')
  const content = editor.querySelector('.cm-content')
  const tokens = [...content.querySelectorAll('.cm-line span')].map((token) => getComputedStyle(token).color)
  return {
    display: getComputedStyle(editor).display,
    space: getComputedStyle(content).whiteSpace,
    colors: new Set([...tokens, getComputedStyle(content).color]).size,
  }
})()`

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

const GRAPH = {
  nodes: [
    { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
    { id: 'pay', type: 'edit-fields', name: 'Pay', config: { rows: [{ name: 'order', value: '1' }] } },
  ],
  edges: [{ id: 'e1', source: 'start', target: 'pay' }],
}

describe.skipIf(CHROMIUM === null)('the draft of a workflow, edited in the browser', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const at = (path: string) => `/o/${journey.slug}${path}`
  const call = <Body>(target: string, body?: object) => asOperator<Body>(journey, target, body)
  const stored = (workflowId: string) => call<BuilderWorkflow>(`GET /workflows/${workflowId}`)
  const made = async (name: string) =>
    (await call<BuilderWorkflow>('POST /workflows', { name, draft: GRAPH })).workflowId
  const nodesOf = ({ draft }: BuilderWorkflow) =>
    draft.nodes as { id: string; name: string; config: unknown }[]
  /** A colleague renames a step. */
  async function rename(workflowId: string, id: string, name: string) {
    const now = await stored(workflowId)
    const node = { ...nodesOf(now).find((one) => one.id === id), name }
    await call(`POST /workflows/${workflowId}/draft`, {
      draftRevision: now.draftRevision,
      changes: [{ put: { node } }],
    })
  }

  test(
    'what is typed into its JSON while a save is under way stays, and is saved by the next one; a second press sends nothing',
    async () => {
      const workflowId = await made('Typed on')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?view=json`),
      )
      const field = page.getByRole('textbox', { name: 'Draft' })
      await field.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(JSON.stringify(GRAPH).replace('"Pay"', '"Paid"'))
      const saving = await hold(page, 'PUT', /\/workflows\/[^/]+$/)
      await page.keyboard.press('Control+s')
      await expect.poll(() => saving.held.length).toBe(1)
      await page.keyboard.press('Control+s')
      await page.keyboard.press('Control+End')
      await page.keyboard.type(' ')
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('\n')
      expect(saving.held).toHaveLength(1)
      await saving.release()
      await page.getByText('Saved to the draft').first().waitFor()
      await page.getByText('Not saved', { exact: true }).waitFor()
      expect(nodesOf(await stored(workflowId)).map(({ name }) => name)).toEqual(['Start', 'Paid'])

      await field.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(JSON.stringify(GRAPH).replace('"Pay"', '"Paid twice"'))
      await page.getByRole('button', { name: 'Save to draft' }).click()
      await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' })
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(nodesOf(await stored(workflowId)).map(({ name }) => name)).toEqual(['Start', 'Paid twice'])
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'Back from another workflow shows what was typed into this one, and a save of it leaves the other alone',
    async () => {
      const [first, second] = [await made('First'), await made('Second')]
      const pathOf = (id: string) => at(`/workflows/${id}?view=json`)
      const { page, faults } = await journey.open(await journey.person('member'), pathOf(first))
      const field = page.getByRole('textbox', { name: 'Draft' })
      await field.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(JSON.stringify(GRAPH).replace('"Pay"', '"Of the first"'))
      await page.getByText('Not saved', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Workflows' }).first().click()
      await page.getByRole('link', { name: 'Second' }).click()
      await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
      await page.goBack()
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
      await field.getByText('Of the first').waitFor()
      await page.getByRole('button', { name: 'Save to draft' }).click()
      await page.getByText('Saved to the draft').first().waitFor()
      expect(nodesOf(await stored(first))[1]?.name).toBe('Of the first')
      expect(nodesOf(await stored(second))[1]?.name).toBe('Pay')
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a part of a step that cannot be read as JSON is not saved around, and goes with its edit',
    async () => {
      const [start, pay] = GRAPH.nodes
      const draft = { ...GRAPH, nodes: [start, { ...pay, config: { ...pay?.config, extra: { kept: 1 } } }] }
      const { workflowId } = await call<BuilderWorkflow>('POST /workflows', { name: 'Half JSON', draft })
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?node=pay&edit=1`),
      )
      const panel = page.getByRole('complementary')
      await panel.getByRole('textbox', { name: 'Name of the step' }).fill('Paid')
      const other = panel.getByRole('textbox', { name: 'Other settings' })
      await other.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText('{"kept": ')
      await panel.getByRole('button', { name: 'Save to draft' }).click()
      await page.getByText('Nothing was saved: the text of “Other settings” cannot be read yet').waitFor()
      expect(nodesOf(await stored(workflowId))[1]?.name).toBe('Pay')
      await panel.getByRole('button', { name: 'Discard changes' }).click()
      await other.getByText('"kept": 1').waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an edit that is not saved is marked at its step, and a publish says that it leaves it out',
    async () => {
      const workflowId = await made('Not saved')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?node=pay&edit=1`),
      )
      const panel = page.getByRole('complementary')
      await panel.getByRole('textbox', { name: 'Name of the step' }).fill('Pay twice')
      const row = page.getByRole('row', { name: 'Pay' })
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await row.getByText('Not saved').waitFor()
      await page.getByRole('tab', { name: 'Publish' }).click()
      await page.getByText('1 step has edits that are not saved').waitFor()
      await page.getByRole('link', { name: 'Pay' }).click()
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
    'its editor has its styles under the policy of production',
    async () => {
      const workflowId = await made('Styled')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?view=json`),
      )
      await page.getByRole('textbox', { name: 'Draft' }).waitFor()
      const styles = await page.evaluate<{ display: string; space: string; colors: number }>(STYLES_OF_EDITOR)
      expect(styles).toMatchObject({ display: 'flex', space: expect.stringMatching(/^(pre|break-spaces)/) })
      expect(styles.colors).toBeGreaterThan(1)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'what is typed into a step while it is saved stays in its editor, and the next save asks nothing',
    async () => {
      const workflowId = await made('Step typed on')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?node=pay`),
      )
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const panel = page.getByRole('complementary')
      const name = panel.getByRole('textbox', { name: 'Name of the step' })
      await name.fill('Paid')
      const saving = await hold(page, 'POST', /\/draft$/)
      await panel.getByRole('button', { name: 'Save to draft' }).click()
      await expect.poll(() => saving.held.length).toBe(1)
      await name.fill('Paid back')
      await saving.release()
      await page.getByText('Saved to the draft').first().waitFor()
      expect(await name.inputValue()).toBe('Paid back')
      expect(nodesOf(await stored(workflowId))[1]?.name).toBe('Paid')
      await panel.getByRole('button', { name: 'Save to draft' }).click()
      await expect.poll(async () => nodesOf(await stored(workflowId))[1]?.name).toBe('Paid back')
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a new step shows nothing of what was typed into a removed one',
    async () => {
      const workflowId = await made('Removed and added')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?node=pay`),
      )
      const panel = page.getByRole('complementary')
      const add = async () => {
        await page.getByRole('row', { name: 'Pay' }).click()
        await page.getByRole('button', { name: 'Add step' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Add step' }).click()
        await page.getByRole('complementary', { name: 'AI Agent' }).waitFor()
      }
      await add()
      await panel.getByRole('textbox', { name: 'Name of the step' }).fill('A secret name')
      await panel.getByText('kept on this device').waitFor()
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await add()
      expect(await panel.getByRole('textbox', { name: 'Name of the step' }).inputValue()).toBe('AI Agent')
      expect(await panel.getByRole('button', { name: 'Save to draft' }).isDisabled()).toBe(true)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'what was typed into a removed step comes back with Undo only, which leaves another tab of the workflow alone',
    async () => {
      const workflowId = await made('Removed with an edit')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?node=pay&edit=1`),
      )
      const panel = page.getByRole('complementary')
      const name = panel.getByRole('textbox', { name: 'Name of the step' })
      await name.fill('Pay twice')
      await panel.getByText('kept on this device').waitFor()
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await expect.poll(() => page.evaluate(COUNT_DRAFTS)).toBe(1)
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByText('Pay is removed').waitFor()
      await expect.poll(() => page.evaluate(COUNT_DRAFTS)).toBe(0)
      await page.getByText('Removed while you edited them').waitFor({ state: 'detached' })
      await page.getByRole('tab', { name: 'Versions' }).click()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Pay is back in the draft').waitFor()
      expect(new URL(page.url()).searchParams.get('node')).toBeNull()
      await page.getByRole('tab', { name: 'Outline' }).click()
      await page.getByRole('row', { name: 'Pay' }).click()
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await expect.poll(() => name.inputValue()).toBe('Pay twice')
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an example waits for the agent that answers it, and says when it could not be loaded',
    async () => {
      const { page } = await journey.open(await journey.person('member'), at('/'))
      const first = /\/agents\?(?=.*status=active)(?=.*limit=1(&|$))/
      await page.route(first, (route) => route.abort())
      await page.goto(`${journey.url}${at('/workflows?create=1&example=1')}`)
      const dialog = page.getByRole('dialog')
      await dialog.getByText('The agent of the example could not be loaded').waitFor()
      const create = dialog.getByRole('button', { name: 'Create workflow' })
      expect(await create.isDisabled()).toBe(true)
      await page.unroute(first)
      await dialog.getByRole('button', { name: 'Retry' }).click()
      await dialog.getByText('The agent of the example could not be loaded').waitFor({ state: 'detached' })
      await create.click()
      await page.getByRole('heading', { level: 1, name: 'Questions from a form' }).waitFor()
      const workflowId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      expect(nodesOf(await stored(workflowId))).toMatchObject([
        { id: 'start' },
        { id: 'agent', config: { agentId: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
      ])
    },
    PATIENCE_MS,
  )

  test(
    'on a phone, Ctrl+S saves the step that is open, and the options of a question are written one a line',
    async () => {
      const config = { title: 'Ask', fields: [{ name: 'size', label: 'Which size?', type: 'text' }] }
      const draft = { nodes: [{ id: 'form', type: 'form-trigger', name: 'Form', config }], edges: [] }
      const { workflowId } = await call<BuilderWorkflow>('POST /workflows', { name: 'Asks', draft })
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?node=form&edit=1`),
        { width: 360 },
      )
      const sheet = page.getByRole('dialog', { name: 'Form' })
      await sheet.getByRole('button', { name: /Type/ }).click()
      await page.getByRole('option', { name: 'One of a drop-down list' }).click()
      await sheet.getByRole('textbox', { name: 'Options' }).pressSequentially('Small, or so\n\nLarge\n')
      await page.keyboard.press('Control+s')
      await page.getByText('Saved to the draft').first().waitFor()
      expect(nodesOf(await stored(workflowId))[0]).toMatchObject({
        config: { fields: [{ type: 'dropdown', options: ['Small, or so', 'Large'] }] },
      })
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'what is typed into a step that a colleague removes stays, and saving it puts the step back',
    async () => {
      const workflowId = await made('Removed by a colleague')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?node=pay&edit=1`),
      )
      const panel = page.getByRole('complementary')
      const name = panel.getByRole('textbox', { name: 'Name of the step' })
      await name.fill('Pay twice')
      await panel.getByText('kept on this device').waitFor()
      const { draftRevision } = await stored(workflowId)
      const changes = [{ remove: { nodeId: 'pay' } }]
      await call(`POST /workflows/${workflowId}/draft`, { draftRevision, changes })
      await panel.getByText('This step was removed').waitFor()
      // The caret is still where it was.
      await page.keyboard.type(' over')
      expect(await name.inputValue()).toBe('Pay twice over')
      // Closed, it stays in reach.
      await panel.getByRole('button', { name: 'Close editor' }).click()
      const kept = page.getByRole('region', { name: 'Removed while you edited them' })
      await kept.getByRole('button', { name: 'Pay' }).click()
      await panel.getByText('This step was removed').waitFor()
      await expect.poll(() => name.inputValue()).toBe('Pay twice over')
      await name.fill('Pay three times')
      await panel.getByRole('button', { name: 'Save to draft' }).click()
      await page.getByText('Saved to the draft').first().waitFor()
      await page.getByRole('row', { name: 'Pay three times' }).waitFor()
      await panel.getByText('This step was removed').waitFor({ state: 'detached' })
      expect(nodesOf(await stored(workflowId))).toMatchObject([
        { id: 'start' },
        { id: 'pay', name: 'Pay three times', config: { rows: [{ name: 'order', value: '1' }] } },
      ])
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'what was typed into a step that is closed again outlives the page, also where the browser’s database takes nothing',
    async () => {
      const workflowId = await made('Closed and left')
      const window = await journey.open(await journey.person('member'), at('/workflows'))
      const { page, context } = window
      await context.addInitScript(
        'IDBObjectStore.prototype.put = () => { throw new DOMException("", "QuotaExceededError") }',
      )
      // The page asks whether it may be left.
      page.on('dialog', (question) => void question.accept())
      await page.goto(`${journey.url}${at(`/workflows/${workflowId}?node=pay&edit=1`)}`)
      const panel = page.getByRole('complementary')
      const name = panel.getByRole('textbox', { name: 'Name of the step' })
      await name.fill('Pay, typed and closed')
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await panel.getByRole('button', { name: 'Edit' }).waitFor()
      await page.reload()
      await panel.getByRole('button', { name: 'Edit' }).click()
      await expect.poll(() => name.inputValue()).toBe('Pay, typed and closed')
    },
    PATIENCE_MS,
  )

  test(
    'a value keeps what is typed when its type is changed, also a text that is no JSON yet',
    async () => {
      const workflowId = await made('Typed values')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?node=pay&edit=1`),
      )
      const panel = page.getByRole('complementary')
      const choose = async (type: string) => {
        await panel.getByRole('button', { name: /Type of “Value”/ }).click()
        await page.getByRole('option', { name: type, exact: true }).click()
      }
      const text = panel.getByRole('textbox', { name: 'Value', exact: true })
      await text.waitFor()
      await choose('JSON')
      await panel.locator('.cm-content').click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText('{"a":')
      // The type that it has already means nothing new.
      await choose('JSON')
      await panel.locator('.cm-content').getByText('{"a":').waitFor()
      await choose('Text')
      expect(await text.inputValue()).toBe('{"a":')
      await panel.getByRole('button', { name: 'Save to draft' }).click()
      await page.getByText('Saved to the draft').first().waitFor()
      expect(nodesOf(await stored(workflowId)).at(1)).toMatchObject({
        config: { rows: [{ name: 'order', value: '{"a":' }] },
      })
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'the model of a step is chosen by its name, and what else is set for it stays',
    async () => {
      const { llmConfigId } = await call<{ llmConfigId: string }>('POST /llm-configurations', {
        slug: 'own-models',
        name: 'Own models',
        projectId: null,
        status: 'connected',
        default: false,
        settings: {},
        allowUnlistedModels: false,
        providerId: 'openai-compatible',
        credentials: { apiKey: 'never sent' },
        baseUrl: 'http://127.0.0.1:9/v1',
        models: [{ modelId: 'own-1', displayName: 'Own 1' }],
      })
      const config = { prompt: 'Hi', model: { primary: { temperature: 0.2 }, mid_stream: 'restart' } }
      const { workflowId } = await call<BuilderWorkflow>('POST /workflows', {
        name: 'Asks a model',
        draft: { nodes: [{ id: 'ask', type: 'ai-prompt', name: 'Ask', config }], edges: [] },
      })
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?node=ask&edit=1`),
      )
      const panel = page.getByRole('complementary')
      await panel.getByRole('button', { name: /LLM configuration/ }).click()
      await page.getByRole('option', { name: 'Own models' }).click()
      await panel.getByRole('button', { name: 'Save to draft' }).click()
      await panel.getByText('Own models · Own 1').waitFor()
      expect(nodesOf(await stored(workflowId))[0]).toMatchObject({
        config: {
          model: { primary: { llm_config_id: llmConfigId, temperature: 0.2 }, mid_stream: 'restart' },
        },
      })
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'undo takes back what was typed here, and never what a colleague saved meanwhile',
    async () => {
      const workflowId = await made('Undone')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        at(`/workflows/${workflowId}?view=json`),
      )
      const field = page.getByRole('textbox', { name: 'Draft' })
      await field.click()
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('\n')
      await page.getByRole('button', { name: 'Save to draft' }).click()
      await page.getByText('Saved to the draft').first().waitFor()
      await rename(workflowId, 'pay', 'By a colleague')
      await field.getByText('By a colleague').waitFor()
      await field.click()
      await page.keyboard.press('Control+z')
      await page.keyboard.press('Control+z')
      await field.getByText('By a colleague').waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { newWorkflow, nodesOf, PAY_GRAPH, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('the settings of a step in its form', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test(
    'a part of a step that cannot be read as JSON yet is named, kept over a reload, and stops nothing else',
    async () => {
      const [start, pay] = PAY_GRAPH.nodes
      const draft = {
        ...PAY_GRAPH,
        nodes: [start, { ...pay, config: { ...pay?.config, extra: { kept: 1 } } }],
      }
      const workflowId = await newWorkflow(journey, 'Half JSON', draft)
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=pay&edit=1'),
      )
      const panel = page.getByRole('complementary')
      await panel.getByRole('textbox', { name: 'Name of the step' }).fill('Paid')
      const other = panel.getByRole('textbox', { name: 'Other settings' })
      await other.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText('{"kept": ')
      await panel.getByText('Not saved: “Other settings” is not complete or not valid JSON yet').waitFor()
      await expect
        .poll(async () => nodesOf(await storedWorkflow(journey, workflowId))[1])
        .toMatchObject({ name: 'Paid', config: { extra: { kept: 1 } } })
      await page.reload()
      await other.getByText('{"kept":').waitFor()
      await panel.getByRole('button', { name: 'Discard changes' }).click()
      await other.getByText('"kept": 1').waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'on a phone, Ctrl+S saves the step that is open, and the options of a question are written one a line',
    async () => {
      const config = { title: 'Ask', fields: [{ name: 'size', label: 'Which size?', type: 'text' }] }
      const draft = { nodes: [{ id: 'form', type: 'form-trigger', name: 'Form', config }], edges: [] }
      const workflowId = await newWorkflow(journey, 'Asks', draft)
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=form&edit=1'),
        { width: 360 },
      )
      const sheet = page.getByRole('dialog', { name: 'Form' })
      await sheet.getByRole('button', { name: /Type/ }).click()
      await page.getByRole('option', { name: 'One of a drop-down list' }).click()
      await sheet.getByRole('textbox', { name: 'Options' }).pressSequentially('Small, or so\n\nLarge\n')
      await page.keyboard.press('Control+s')
      await expect
        .poll(async () => nodesOf(await storedWorkflow(journey, workflowId))[0])
        .toMatchObject({ config: { fields: [{ type: 'dropdown', options: ['Small, or so', 'Large'] }] } })
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a value keeps its text when its type is changed, including an unparsable JSON text',
    async () => {
      const workflowId = await newWorkflow(journey, 'Typed values')
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=pay&edit=1'),
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
      // Choosing its current type changes nothing.
      await choose('JSON')
      await panel.locator('.cm-content').getByText('{"a":').waitFor()
      await choose('Text')
      expect(await text.inputValue()).toBe('{"a":')
      await expect
        .poll(async () => nodesOf(await storedWorkflow(journey, workflowId)).at(1))
        .toMatchObject({ config: { rows: [{ name: 'order', value: '{"a":' }] } })
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'the model of a step is chosen by its name, and its other settings stay',
    async () => {
      const { llmConfigId } = await asOperator<{ llmConfigId: string }>(journey, 'POST /llm-configurations', {
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
      const workflowId = await newWorkflow(journey, 'Asks a model', {
        nodes: [{ id: 'ask', type: 'ai-prompt', name: 'Ask', config }],
        edges: [],
      })
      const { page, faults } = await journey.open(
        await journey.person('member'),
        workflowPath(journey, workflowId, '?node=ask&edit=1'),
      )
      const panel = page.getByRole('complementary')
      await panel.getByRole('button', { name: /LLM configuration/ }).click()
      await page.getByRole('option', { name: 'Own models' }).click()
      await expect
        .poll(async () => nodesOf(await storedWorkflow(journey, workflowId))[0])
        .toMatchObject({
          config: {
            model: { primary: { llm_config_id: llmConfigId, temperature: 0.2 }, mid_stream: 'restart' },
          },
        })
      await panel.getByRole('button', { name: 'Close editor' }).click()
      await panel.getByText('Own models · Own 1').waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

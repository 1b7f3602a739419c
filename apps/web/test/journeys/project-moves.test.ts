import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'

/** Nine pages and dialogs, one after the other, on a loaded machine. */
const PATIENCE_MS = 240_000

describe.skipIf(CHROMIUM === null)('projects of resources', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const at = (path: string) => `/o/${journey.slug}${path}`
  const call = <Body>(target: string, body?: object) => asOperator<Body>(journey, target, body)

  test(
    'a new agent is created in a selected project, and moved with its dependencies from the list and from its page',
    async () => {
      const { projectId } = await call<{ projectId: string }>('POST /projects', {
        name: 'Shop',
        slug: 'shop',
      })
      await call('POST /projects', { name: 'Lab', slug: 'lab' })
      const window = await journey.open(await journey.person('owner'), at('/agents?create=1'))
      const { page, faults } = window
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Counter')
      await dialog.getByRole('button', { name: /Project/ }).click()
      await page.getByRole('option', { name: 'Shop' }).click()
      await dialog.getByRole('button', { name: 'Create agent' }).click()
      await page.getByRole('heading', { name: 'Counter' }).waitFor()
      const agentId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      expect(await call<object>(`GET /agents/${agentId}`)).toMatchObject({ projectId })

      // A base of the project prevents the move of its agent alone, and goes along with it.
      const { knowledgeBaseId } = await call<{ knowledgeBaseId: string }>('POST /knowledge-bases', {
        name: 'Manual',
        projectId,
      })
      await call(`PUT /agents/${agentId}`, { config: { knowledge: { base_ids: [knowledgeBaseId] } } })
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Move to project…' }).click()
      await dialog.getByRole('button', { name: /Move to/ }).click()
      await page.getByRole('option', { name: 'Lab' }).click()
      await dialog.getByText('“Counter” uses the knowledge base “Manual” of the project “Shop”.').waitFor()
      expect(await dialog.getByRole('button', { name: 'Move', exact: true }).isDisabled()).toBe(true)
      await expectGood(window, 'move-refused')
      await dialog.getByRole('button', { name: /Move to/ }).click()
      await page.getByRole('option', { name: 'Whole organization' }).click()
      await dialog.getByText('Conversations start over', { exact: false }).waitFor()
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
      await page.getByText('Moved to the whole organization').waitFor()
      expect(await call<object>(`GET /agents/${agentId}`)).toMatchObject({ projectId: null })

      // A selection of a list, which also shows the uses of the base.
      await page.goto(journey.url + at('/knowledge'))
      await page.getByRole('checkbox', { name: /Manual/ }).check({ force: true })
      await page.getByRole('button', { name: 'Move to project', exact: true }).click()
      await dialog.getByRole('button', { name: /Move to/ }).click()
      await page.getByRole('option', { name: 'Whole organization' }).click()
      await dialog.getByText('Used by 1').waitFor()
      await dialog.getByRole('link', { name: 'Counter' }).waitFor()
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
      await page.getByText('Moved to the whole organization').waitFor()
      expect(await call<object>(`GET /knowledge-bases/${knowledgeBaseId}`)).toMatchObject({ projectId: null })
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

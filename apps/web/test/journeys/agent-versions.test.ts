import { propertyOf } from '@troupe/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentPath, saveButton, saved } from './agent-steps.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { answered, ask, choose, log } from './playground-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 120_000

describe.skipIf(CHROMIUM === null)('versions of an agent', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const liveAgent = async (agentId: string) => {
    const { body } = await journey.server.call(`GET /api/v1/agents/${agentId}`)
    return {
      description: propertyOf(body, 'description'),
      instructions: propertyOf(propertyOf(body, 'config'), 'instructions'),
    }
  }
  const instructions = (page: Page) => page.getByRole('textbox', { name: 'Instructions' })
  const list = (page: Page) => page.getByRole('list', { name: 'Versions' })
  const ofVersion = async (page: Page, version: string, item: string) => {
    const menu = list(page).getByRole('button', { name: `Actions for ${version}`, exact: true })
    await choose(page, menu, item)
  }

  test(
    'two versions answer side by side, one is labelled, compared by words and restored, and a colleague’s save of another field in between is merged',
    async () => {
      const BRIEF = 'You are brief. [[reply: It arrives on Monday.]]'
      const POLITE = 'You are polite. [[reply: It arrives on Tuesday, with our thanks.]]'
      const made = await journey.server.call('POST /api/v1/agents', {
        body: { name: 'Deliveries', status: 'active', config: { instructions: BRIEF } },
      })
      const agentId = String(propertyOf(made.body, 'agentId'))
      const path = agentPath(journey, agentId)
      const eva = await journey.open(await journey.person('member', 'Eva'), path)
      const { page } = eva

      // v2 is what Eva saves in the editor.
      await instructions(page).fill(POLITE)
      await saveButton(page).click()
      await saved(page)

      // v1 and v2 get the same question, from the list of versions, and their answers differ by words.
      await page.getByRole('tab', { name: 'Versions' }).click()
      const compare = page.getByRole('region', { name: 'Compare' })
      await compare.getByText('1 setting differs').waitFor()
      const changed = compare.getByRole('region', { name: 'Instructions' })
      expect(await changed.innerText()).toContain('You are brief.')
      expect(await changed.innerText()).toContain('You are polite.')
      await compare.getByRole('link', { name: 'Ask both in the playground' }).click()
      await ask(page, 'When does it arrive?')
      await answered(page, 2)
      await log(page).getByText('It arrives on Monday.').waitFor()
      await log(page).getByText('It arrives on Tuesday, with our thanks.').waitFor()
      await page.getByRole('radio', { name: 'Differences' }).click()
      await log(page).locator('del').filter({ hasText: 'Monday' }).waitFor()
      await log(page).locator('ins').filter({ hasText: 'Tuesday' }).waitFor()
      await expectGood(eva, 'agent-versions-words')

      // The brief one was better: it gets a name.
      await page.getByRole('tab', { name: 'Versions' }).click()
      await ofVersion(page, 'v1', 'Label and note…')
      await page.getByRole('textbox', { name: 'Label' }).fill('Short answers')
      await page.keyboard.press('Enter')
      await list(page).getByText('Short answers').waitFor()
      await ofVersion(page, 'v1', 'Restore…')
      await page.getByRole('button', { name: 'Restore', exact: true }).click()
      await page.getByText('v1 was restored').waitFor()
      expect(await liveAgent(agentId)).toMatchObject({ instructions: BRIEF })

      // Eva edits what she restored; Ana saves another field before her.
      const ana = await journey.open(await journey.person('member', 'Ana'), path)
      await instructions(ana.page).getByText('You are brief.').waitFor()
      // Eva's page must not receive Ana's save before her own: this tests the 409.
      await eva.context.route('**/events?*', (route) => route.abort())
      await page.goto(journey.url + path)
      await instructions(page).getByText('You are brief.').waitFor()
      await instructions(page).fill(`${BRIEF} Never guess.`)
      await ana.page.getByRole('textbox', { name: 'Description' }).fill('Knows every delivery.')
      await saveButton(ana.page).click()
      await saved(ana.page)
      await saveButton(page).click()
      // The bar of the edit has the same text while the merged edit is being sent.
      const notices = page.getByRole('region', { name: 'Notices' })
      await notices.getByText('Merged with changes by Ana (1 setting).').waitFor()
      expect(await liveAgent(agentId)).toEqual({
        description: 'Knows every delivery.',
        instructions: `${BRIEF} Never guess.`,
      })

      // All of it is in the list: v1, v2, the restored one, Ana's and the merged one; the label stayed.
      await page.getByRole('tab', { name: 'Versions' }).click()
      await list(page).getByText('Live v5').waitFor()
      expect(await list(page).getByRole('listitem').count()).toBe(5)
      expect(await list(page).getByRole('listitem').filter({ hasText: 'Ana' }).count()).toBe(1)
      expect(await list(page).getByRole('listitem').filter({ hasText: 'Short answers' }).count()).toBe(1)
      expect([...eva.faults, ...ana.faults]).toEqual([])
      await ana.context.close()
      await eva.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a comparison names the agent used by a tool',
    async () => {
      const { server, slug } = journey
      const made = async (name: string) =>
        String(propertyOf((await server.call('POST /api/v1/agents', { body: { name } })).body, 'agentId'))
      const [asked, agentId] = [await made('Old hand'), await made('Asks another')]
      const tools = [{ type: 'agent', name: 'ask', agent_id: asked }]
      const { status } = await server.call(`PUT /api/v1/agents/${agentId}`, { body: { config: { tools } } })
      expect(status).toBe(200)
      const address = `/o/${slug}/agents/${agentId}?tab=versions`
      const { page, faults, context } = await journey.open(await journey.person('viewer'), address)
      const compared = page.getByRole('region', { name: 'Compare' })
      await compared.getByText('Agent: Old hand').waitFor()
      expect(await compared.getByText(asked).count()).toBe(0)
      expect(faults).toEqual([])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'two users add a tool each: both are saved, the review lists only the own one, and removing a changed one is a conflict',
    async () => {
      const made = await journey.server.call('POST /api/v1/agents', { body: { name: 'Tools of two' } })
      const agentId = String(propertyOf(made.body, 'agentId'))
      const at = `/o/${journey.slug}/agents/${agentId}?open=tools`
      const tools = async () => {
        const { body } = await journey.server.call(`GET /api/v1/agents/${agentId}`)
        const list = propertyOf(propertyOf(body, 'config'), 'tools')
        return Array.isArray(list) ? list : []
      }
      const open = async (name: string) => journey.open(await journey.person('member', name), at)
      const [eva, ana] = [await open('Eva'), await open('Ana')]
      const add = async (page: Page, kind: RegExp) => {
        await page.getByRole('button', { name: 'Add tool' }).click()
        await page.getByRole('menuitem', { name: kind }).click()
        await bar(page).getByText('1 unsaved change', { exact: true }).waitFor()
      }
      const bar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' })
      const gone = (page: Page) => bar(page).waitFor({ state: 'detached' })

      await add(ana.page, /^Built in/)
      await add(eva.page, /^Code/)
      await saveButton(eva.page).click()
      await saved(eva.page)
      await ana.page.getByText('compute', { exact: true }).first().waitFor()
      const openTools = ana.page.locator('li > details[open] > summary')
      expect(await openTools.allInnerTexts()).toEqual([expect.stringContaining('calculator')])
      await bar(ana.page).getByText('1 unsaved change', { exact: true }).waitFor()
      await bar(ana.page).getByRole('button', { name: 'Review changes' }).click()
      const review = ana.page.getByRole('dialog', { name: 'Your changes' })
      const headings = review.getByRole('heading', { level: 3 })
      await expect.poll(() => headings.allInnerTexts()).toEqual(['Tool calculator: added'])
      await ana.page.keyboard.press('Escape')
      await saveButton(ana.page).click()
      await saved(ana.page)
      await gone(ana.page)
      expect(await tools()).toMatchObject([{ name: 'compute' }, { builtin: 'calculator' }])

      // Ana removes the tool that Eva changes; the calculator, which now has its index, is not in conflict.
      await ana.page.getByRole('button', { name: 'Actions for compute' }).click()
      await ana.page.getByRole('menuitem', { name: 'Remove' }).click()
      await bar(ana.page).waitFor()
      await eva.page.getByRole('textbox', { name: 'Description' }).last().fill('Adds up.')
      await saveButton(eva.page).click()
      await gone(eva.page)
      await bar(ana.page).getByRole('button', { name: 'Decide…' }).click()
      const dialog = ana.page.getByRole('dialog', { name: /Eva changed this agent/ })
      const question = dialog.getByRole('radiogroup', { name: 'Tool compute' })
      await question.getByText('Removed').waitFor()
      await expectGood(ana, 'agent-conflict-item')
      await question.getByRole('radio', { name: 'Eva' }).press('Space')
      await dialog.getByRole('button', { name: 'Merge and save' }).press('Enter')
      await gone(ana.page)
      expect(await tools()).toMatchObject([
        { name: 'compute', description: 'Adds up.' },
        { builtin: 'calculator' },
      ])
      await eva.context.close()
      await ana.context.close()
    },
    PATIENCE_MS,
  )
})

import { propertyOf } from '@troupe/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AGENT_TEMPLATES } from '../../src/core/agents/templates.ts'
import { TEAM_TEMPLATES } from '../../src/core/teams/templates.ts'
import { switchMouseOff } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'

const PATIENCE_MS = 120_000
const ID = /[0-9a-f-]{36}/

/** Types a search, and chooses its only card: by a press, or by the keyboard from the search on. */
async function chooseCard(page: Page, search: string, name: string, byKeys: boolean): Promise<void> {
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: 'Find a template' })
  await field.fill(search)
  const card = dialog.getByRole('radio', { name: new RegExp(`^${name}`) })
  await card.waitFor({ state: 'attached' })
  // The choice of none, and the card that was found.
  await expect.poll(() => dialog.getByRole('radio', { name: /./ }).count()).toBeGreaterThanOrEqual(2)
  if (byKeys) {
    await field.press('Tab')
    await page.keyboard.press('ArrowRight')
  } else await dialog.getByText(name, { exact: true }).click()
  await expect.poll(() => card.isChecked()).toBe(true)
}

describe.skipIf(CHROMIUM === null)('cards of templates', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  test.each([
    [360, true],
    [1_440, false],
  ])(
    'a new agent begins with a card that a search finds, at %i px, by keys: %s',
    async (width, byKeys) => {
      const [, template] = AGENT_TEMPLATES
      const window = await journey.open(
        await journey.person('member'),
        `/o/${journey.slug}/agents?create=1`,
        { width },
      )
      const { page } = window
      await page.getByRole('textbox', { name: 'Find a template' }).waitFor()
      if (byKeys) await switchMouseOff(window)
      await chooseCard(page, 'handbook', 'Answers from documents', byKeys)
      const dialog = page.getByRole('dialog')
      expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(template?.name)
      expect(await dialog.getByRole('textbox', { name: 'Instructions' }).inputValue()).toBe(
        template?.config.instructions,
      )
      await dialog.getByText('Add a knowledge base', { exact: false }).waitFor()
      await expectGood(window, `cards-agent-${width}`)
      await dialog.getByRole('button', { name: 'Create agent' }).press('Enter')
      await page.waitForURL(/\/agents\/[0-9a-f-]{36}/)
      const agent = await asOperator(journey, `GET /agents/${ID.exec(new URL(page.url()).pathname)?.[0]}`)
      expect(agent).toMatchObject({ name: template?.name, config: template?.config })
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test.each([
    [360, true],
    [1_440, false],
  ])(
    'a new team begins with a card and gets its agents, at %i px, by keys: %s',
    async (width, byKeys) => {
      const [template] = TEAM_TEMPLATES
      const window = await journey.open(await journey.person('member'), `/o/${journey.slug}/teams?create=1`, {
        width,
      })
      const { page } = window
      await page.getByRole('textbox', { name: 'Find a template' }).waitFor()
      if (byKeys) await switchMouseOff(window)
      await chooseCard(page, 'routing', 'Front desk', byKeys)
      const dialog = page.getByRole('dialog')
      expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(template?.name)
      await expectGood(window, `cards-team-${width}`)
      await dialog.getByRole('button', { name: 'Create team' }).press('Enter')
      await page.waitForURL(/\/teams\/[0-9a-f-]{36}/)
      const team = await asOperator(journey, `GET /teams/${ID.exec(new URL(page.url()).pathname)?.[0]}`)
      const config = propertyOf(team, 'config')
      expect(config).toMatchObject({
        mode: template?.mode,
        lead: { managed: { instructions: template?.instructions } },
      })
      const members = propertyOf(config, 'members') as { agent: string; role: string }[]
      const named = await Promise.all(
        members.map(async ({ agent, role }) => {
          const { name } = await asOperator<{ name: string }>(journey, `GET /agents/${agent}`)
          return { name, role }
        }),
      )
      expect(named).toEqual(template?.members.map(({ name, role }) => ({ name, role })))
      expect(window.faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

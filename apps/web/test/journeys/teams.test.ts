import { randomUUID } from 'node:crypto'
import { isJsonObject, propertyOf } from '@troupe/contract'
import { seedTeam } from '@troupe/test-kit/seed-team'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEPT_VALUES, switchMouseOff, WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'

const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('teams', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const seed = (config: Record<string, unknown> = {}, members?: readonly string[]) =>
    seedTeam(journey.server.context.database, {
      organizationId: journey.server.seed.organizationId,
      projectId: null,
      name: `Desk ${randomUUID().slice(0, 4)}`,
      config,
      ...(members ? { members } : {}),
    })
  const stored = async (teamId: string) => {
    const { server } = journey
    const { organizationId } = server.seed
    const { body } = await server.call(
      `GET /api/builder/v1/organizations/${organizationId}/teams/${teamId}`,
      {
        key: null,
        headers: { authorization: `Bearer ${server.adminToken}` },
      },
    )
    return body
  }
  const configOf = async (teamId: string) => propertyOf(await stored(teamId), 'config')
  const add = async (field: Locator, page: Page, agent: string) => {
    await field.fill(agent)
    await page.getByRole('option', { name: new RegExp(`^${agent}`) }).waitFor()
    await field.press('ArrowDown')
    await field.press('Enter')
    // The list stays open for the next agent, and closes when the focus leaves it.
    await page.locator(`[aria-label="Remove ${agent}"]`).waitFor()
  }

  test(
    'the first team is made, understood, changed and saved with the keyboard alone',
    async () => {
      const { slug, url } = journey
      await seed({}, ['Invoices', 'Parcels'])
      const window = await journey.open(await journey.person('member'), `/o/${slug}/teams`)
      const { page, faults } = window
      await switchMouseOff(window)
      await page.getByRole('button', { name: 'New team' }).first().waitFor()
      await page.keyboard.press('c')
      const dialog = page.getByRole('dialog', { name: 'New team' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Front desk')
      expect(await dialog.getByRole('radio', { name: /Handoff/ }).isChecked()).toBe(true)
      const members = dialog.getByRole('combobox', { name: 'Members' })
      await add(members, page, 'Invoices')
      await add(members, page, 'Parcels')
      await members.press('Tab')
      await dialog.getByRole('button', { name: 'Create team' }).press('Enter')
      await page.waitForURL(new RegExp(`${url}/o/${slug}/teams/[0-9a-f-]{36}`))
      const teamId = new URL(page.url()).pathname.split('/').at(-1) ?? ''

      // The picture is read as a list.
      const story = page.getByRole('list', { name: 'Steps of a run' })
      await story.getByText('The lead → one member').waitFor()
      await story.getByText('byte for byte', { exact: false }).waitFor()

      await page
        .getByRole('button', { name: 'See the prompts of: The lead writes the tasks of members' })
        .press('Enter')
      const prompts = page.getByRole('dialog', { name: /^Prompts: The lead writes/ })
      await prompts.getByText(/Turned on, it costs about \d+ more input tokens/).waitFor()
      expect(await prompts.getByRole('article', { name: /lead$/ }).count()).toBeGreaterThan(0)
      expect(page.url()).toContain('prompts=auto_member_input')
      await page.keyboard.press('Escape')
      await prompts.waitFor({ state: 'detached' })

      await page.getByRole('switch', { name: /The lead writes the tasks of members/ }).press(' ')
      await story.getByText('sealed', { exact: false }).waitFor()
      await page.getByRole('textbox', { name: 'Role of Parcels' }).fill('Orders on their way')
      await page.getByRole('button', { name: 'Move Parcels up' }).press('Enter')
      await page.getByText('Parcels is now member 1').waitFor()
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
      // Input survives a reload.
      await expect.poll(() => page.evaluate<string>(KEPT_VALUES)).toContain('Orders on their way')
      await page.reload()
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Role of Parcels' }).inputValue())
        .toBe('Orders on their way')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText('Saved', { exact: true }).waitFor()
      const config = await configOf(teamId)
      expect(propertyOf(propertyOf(config, 'toggles'), 'auto_member_input')).toBe(false)
      expect(propertyOf(config, 'members')).toMatchObject([{ role: 'Orders on their way' }, { role: null }])

      // The same question in two modes, side by side.
      await page.getByRole('tab', { name: 'Editor' }).press('ArrowRight')
      await page.getByRole('button', { name: 'Compare' }).press('Enter')
      await page.getByRole('menuitem', { name: /As Parallel/ }).press('Enter')
      const message = page.getByRole('textbox', { name: 'Message', exact: true })
      await message.fill('Where is my parcel, and what about its invoice?')
      await message.press('Enter')
      const answers = page.getByRole('log', { name: 'Playground' })
      await answers.getByRole('link', { name: 'Trace' }).nth(1).waitFor()
      await answers.getByText('Parcels').first().waitFor()

      // The members' view of that conversation.
      await page.goto(`${url}/o/${slug}/teams/${teamId}?prompts=members_see_team_history`)
      const goesOn = page.getByRole('checkbox', {
        name: 'Continue the last conversation of the playground',
      })
      expect(await goesOn.isChecked()).toBe(true)
      await page.getByText(/^With you, /).waitFor()
      await page.getByText(/Turned on, it costs about \d+ more input tokens/).waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'another mode keeps applicable settings, lists ignored ones, and restores the fallback',
    async () => {
      const { slug } = journey
      const { teamId, agentIds } = await seed({}, ['Anna', 'Bert', 'Cleo'])
      const person = await journey.person('member')
      const { page, faults } = await journey.open(person, `/o/${slug}/teams/${teamId}`)
      await page.getByRole('button', { name: /Fallback member/ }).click()
      await page.getByRole('option', { name: 'Bert' }).click()
      await page.getByText('Without a valid choice, the message goes to Bert', { exact: false }).waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText('Saved', { exact: true }).waitFor()
      expect(propertyOf(await configOf(teamId), 'fallback_member')).toBe(agentIds[1])

      await page.getByRole('radio', { name: /Parallel/ }).press(' ')
      await page.getByText('Bert is no longer the fallback member', { exact: false }).waitFor()
      await page.getByRole('textbox', { name: 'Members that must answer' }).fill('3')
      await page.keyboard.press('Tab')
      await page.getByText('At least 3 of 3 answered', { exact: false }).waitFor()
      // An invalid combination is reported at its setting.
      await page.getByRole('button', { name: 'Remove Cleo' }).click()
      await page.getByText('Must be at most 2, the number of members').waitFor()
      await page.getByRole('radio', { name: /Handoff/ }).press(' ')
      await page.getByText('ignores these settings: Members that must answer', { exact: false }).waitFor()
      await page.getByText('Without a valid choice, the message goes to Bert', { exact: false }).waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await page.getByText('Cleo').first().waitFor()

      // The field for another member does not open its list over the team's problems now.
      for (const name of ['Anna', 'Bert', 'Cleo']) {
        await page.getByRole('button', { name: `Remove ${name}` }).click()
      }
      await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('button')
      expect(await page.getByRole('listbox').count()).toBe(0)
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'an agent is promoted to the lead, and leaves the members',
    async () => {
      const { slug } = journey
      const { teamId, agentIds } = await seed({}, ['Dora', 'Emil', 'Finn'])
      const person = await journey.person('member')
      const { page } = await journey.open(person, `/o/${slug}/teams/${teamId}`)
      await page.getByRole('radio', { name: /One of your agents/ }).press(' ')
      await page.getByText('It chooses who answers, and may choose itself.').waitFor()
      await page.getByText('2 members').waitFor()
      // Back in its former position, unchanged.
      await page.getByRole('radio', { name: /A lead of its own/ }).press(' ')
      await page.getByText('3 members').waitFor()
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
      await page.getByRole('radio', { name: /One of your agents/ }).press(' ')
      await page.getByText('2 members').waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText('Saved', { exact: true }).waitFor()
      expect(propertyOf(await configOf(teamId), 'lead')).toEqual({ agent: agentIds[0] })
      await page.getByRole('radio', { name: /A lead of its own/ }).press(' ')
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'a team is copied, exported as a bundle, and deleted; its URL reports it afterwards',
    async () => {
      const { slug, url } = journey
      const { teamId } = await seed({}, ['Gerd', 'Hana'])
      const { page } = await journey.open(await journey.person('admin'), `/o/${slug}/teams/${teamId}`)
      const act = async (name: string) => {
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name }).click()
      }
      const download = page.waitForEvent('download')
      await act('Export as bundle')
      const bundle = page.getByRole('dialog', { name: 'Export as bundle' })
      await bundle.getByRole('button', { name: 'Download' }).click()
      expect((await download).suggestedFilename()).toMatch(/^desk.*\.ya?ml$/i)
      await page.keyboard.press('Escape')
      await act('Duplicate…')
      await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click()
      await page.waitForURL((address) => !address.pathname.endsWith(teamId))
      const copyId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      expect(isJsonObject(await configOf(copyId))).toBe(true)
      await page.getByRole('heading', { level: 1, name: /copy/i }).waitFor()
      await act('Delete…')
      await page.getByRole('button', { name: 'Delete team' }).click()
      await page.waitForURL(`${url}/o/${slug}/teams`)
      await page.goto(`${url}/o/${slug}/teams/${copyId}`)
      await page.getByRole('heading', { level: 1, name: 'Team not found' }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'unsaved input of a team deleted by somebody else can be copied and discarded',
    async () => {
      const { slug, server } = journey
      const { teamId } = await seed({}, ['Ole', 'Pia'])
      const window = await journey.open(await journey.person('member'), `/o/${slug}/teams/${teamId}`)
      const { page } = window
      // The browser then keeps two copies: the edit, and the one that the server has too.
      const written = page.waitForResponse(
        (response) => response.request().method() === 'PUT' && response.url().includes('unsaved'),
      )
      await page.getByRole('textbox', { name: 'Role of Pia' }).fill('Knows every parcel')
      await expect.poll(() => page.evaluate<string>(KEPT_VALUES)).toContain('Knows every parcel')
      expect((await written).status()).toBeLessThan(300)
      const deleted = await server.call(
        `DELETE /api/builder/v1/organizations/${server.seed.organizationId}/teams/${teamId}`,
        { key: null, headers: { authorization: `Bearer ${server.adminToken}` } },
      )
      expect(deleted.status).toBeLessThan(300)
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'Team not found' }).waitFor()
      const kept = page.getByRole('region', { name: 'Your unsaved changes' })
      await kept.getByText('Knows every parcel').waitFor()
      window.faults.splice(0)
      await expectGood(window, 'team-gone')
      await kept.getByRole('button', { name: 'Forget' }).click()
      await kept.waitFor({ state: 'detached' })
      await expect.poll(() => page.evaluate<string>(KEPT_VALUES)).not.toContain('Knows every parcel')
      await window.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'a read-only user sees everything, can change nothing, and sees the reason',
    async () => {
      const { slug } = journey
      const { teamId } = await seed({ mode: 'plan-execute' }, ['Ines', 'Jan'])
      const window = await journey.open(await journey.person('viewer'), `/o/${slug}/teams/${teamId}`)
      const { page } = window
      await page.getByRole('list', { name: 'Steps of a run' }).waitFor()
      expect(await page.getByRole('textbox', { name: 'Name' }).isEditable()).toBe(false)
      expect(await page.getByRole('switch').first().isDisabled()).toBe(true)
      expect(await page.getByRole('button', { name: 'All prompts' }).isDisabled()).toBe(true)
      await expectGood(window, 'team-viewer-1280')
    },
    PATIENCE_MS,
  )

  test.each(WIDTHS)(
    'the list, the editor in each mode, the prompts and the dialog have no visual faults at %d px, in light and dark',
    async (width) => {
      const { url, slug } = journey
      const { agentIds } = await seed({}, ['Kim', 'Lena'])
      const teams = {
        handoff: (await seed({}, ['Billing', 'Shipping', 'Technician'])).teamId,
        parallel: (await seed({ mode: 'parallel' }, ['Researcher', 'Writer', 'Reviewer'])).teamId,
        dynamic: (
          await seed({ mode: 'dynamic-delegation', lead: { agent: agentIds[0] } }, [
            'Facts',
            'Texts',
            'Checks',
          ])
        ).teamId,
        plan: (await seed({ mode: 'plan-execute' }, ['Researcher', 'Writer', 'Reviewer'])).teamId,
      }
      const window = await journey.open(await journey.person('owner'), `/o/${slug}/teams`, { width })
      const { page } = window
      const look = async (path: string, name: string, wait: Locator) => {
        await page.goto(`${url}/o/${slug}/teams${path}`)
        await wait.waitFor()
        await page.waitForLoadState('networkidle')
        await expectGood(window, `${name}-${width}`)
      }
      await look('', 'teams', page.getByRole('table'))
      await look('?create=1', 'team-create', page.getByRole('dialog'))
      for (const [mode, teamId] of Object.entries(teams)) {
        await look(`/${teamId}`, `team-${mode}`, page.getByRole('list', { name: 'Steps of a run' }))
      }
      const costs = page.getByText(/Turned on, it/)
      await look(`/${teams.handoff}?prompts=auto_member_input`, 'team-prompts', costs)
    },
    3 * PATIENCE_MS,
  )
})

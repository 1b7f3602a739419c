import { propertyOf } from '@troupe/contract'
import { seedTeam } from '@troupe/test-kit/seed-team'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentPath, configOf, newAgent, saveButton, saved } from './agent-steps.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 120_000

describe.skipIf(CHROMIUM === null)('unsaved changes of an agent', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const instructions = (page: Page) => page.getByRole('textbox', { name: 'Instructions' })
  const onServer = (page: Page) => page.getByText('Kept on all your devices until you save.').waitFor()
  const holds = (page: Page, text: string) =>
    expect.poll(() => instructions(page).innerText(), { timeout: 20_000 }).toBe(text)

  test(
    'are on another device while they are typed, and end on both with a save or a discard',
    async () => {
      const agentId = await newAgent(journey, 'Two devices', { instructions: 'First.' })
      const eva = await journey.person('member', 'Eva')
      const desk = await journey.open(eva, agentPath(journey, agentId))
      const phone = await journey.open(eva, agentPath(journey, agentId))
      await instructions(desk.page).fill('Typed at the desk.')
      await onServer(desk.page)
      await holds(phone.page, 'Typed at the desk.')
      await instructions(phone.page).fill('Typed on the phone.')
      await holds(desk.page, 'Typed on the phone.')
      await saveButton(desk.page).click()
      await saved(desk.page)
      await saveButton(phone.page).waitFor({ state: 'detached' })
      await holds(phone.page, 'Typed on the phone.')
      expect(propertyOf(await configOf(journey, agentId), 'instructions')).toBe('Typed on the phone.')
      await instructions(phone.page).fill('Never mind.')
      await holds(desk.page, 'Never mind.')
      await phone.page.getByRole('button', { name: 'Discard' }).click()
      await phone.page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click()
      await holds(desk.page, 'Typed on the phone.')
      await saveButton(desk.page).waitFor({ state: 'detached' })
      await desk.page.reload()
      await holds(desk.page, 'Typed on the phone.')
      expect([...desk.faults, ...phone.faults]).toEqual([])
      await desk.context.close()
      await phone.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'of a lost browser are in the next one; those typed offline are kept and written later',
    async () => {
      const agentId = await newAgent(journey, 'Lost browser', { instructions: 'First.' })
      const eva = await journey.person('member', 'Eva')
      const first = await journey.open(eva, agentPath(journey, agentId))
      await instructions(first.page).fill('Before the loss.')
      await onServer(first.page)
      await first.context.close()
      const next = await journey.open(eva, agentPath(journey, agentId))
      await holds(next.page, 'Before the loss.')
      await next.context.setOffline(true)
      await instructions(next.page).fill('Typed in a tunnel.')
      await next.page.getByText('Kept on this device until you save.').waitFor()
      await next.page.waitForTimeout(1500)
      await next.context.setOffline(false)
      await onServer(next.page)
      const other = await journey.open(eva, agentPath(journey, agentId))
      await holds(other.page, 'Typed in a tunnel.')
      await next.context.close()
      // The server has them, so a sign-out loses nothing and asks nothing.
      await onServer(other.page)
      await other.page.getByRole('button', { name: /^Account/ }).click()
      await other.page.getByRole('menuitem', { name: 'Sign out' }).click()
      await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await other.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'of a team are on another device, and a colleague sees whose they are',
    async () => {
      const { organizationId } = journey.server.seed
      const owner = { organizationId, projectId: null, name: 'Desk' }
      const { teamId } = await seedTeam(journey.server.context.database, owner)
      const path = `/o/${journey.slug}/teams/${teamId}`
      const eva = await journey.person('member', 'Eva')
      const desk = await journey.open(eva, path)
      const name = ({ page }: typeof desk) => page.getByRole('textbox', { name: 'Name' })
      await name(desk).fill('Night desk')
      await onServer(desk.page)
      const phone = await journey.open(eva, path)
      await expect.poll(() => name(phone).inputValue(), { timeout: 20_000 }).toBe('Night desk')
      const ben = await journey.open(await journey.person('member', 'Ben'), path)
      await ben.page.getByRole('button', { name: 'Show changes: Eva' }).click()
      await ben.page.getByRole('dialog').getByText('Night desk', { exact: true }).waitFor()
      await saveButton(phone.page).click()
      await saved(phone.page)
      await saveButton(desk.page).waitFor({ state: 'detached', timeout: 20_000 })
      for (const { context } of [desk, phone, ben]) await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'of a colleague are named, shown, and added to the own ones, whose values stay',
    async () => {
      const agentId = await newAgent(journey, 'Colleagues', { instructions: 'First.' })
      const eva = await journey.open(await journey.person('member', 'Eva'), agentPath(journey, agentId))
      const ben = await journey.open(await journey.person('member', 'Ben'), agentPath(journey, agentId))
      await instructions(ben.page).waitFor()
      await instructions(eva.page).fill('By Eva.')
      await onServer(eva.page)
      await ben.page.getByText('Eva has unsaved changes').waitFor({ timeout: 20_000 })
      await expectGood(ben, 'colleague-edits')
      await ben.page.getByRole('button', { name: 'Show changes: Eva' }).click()
      const dialog = ben.page.getByRole('dialog', { name: 'Unsaved changes by Eva' })
      await dialog.getByText('By Eva.', { exact: true }).waitFor()
      await expectGood(ben, 'colleague-edits-shown')
      await ben.page.setViewportSize({ width: 360, height: 740 })
      await expectGood(ben, 'colleague-edits-shown-phone')
      await dialog.getByRole('button', { name: 'Close' }).first().click()
      await expectGood(ben, 'colleague-edits-phone')
      await ben.page.setViewportSize({ width: 1440, height: 900 })
      await ben.page.getByRole('button', { name: 'Show changes: Eva' }).click()
      await dialog.getByRole('button', { name: 'Add to my changes' }).click()
      await holds(ben.page, 'By Eva.')
      const name = ben.page.getByRole('textbox', { name: 'Name', exact: true })
      await name.fill('Typed since')
      await ben.page.getByRole('button', { name: 'Undo' }).click()
      await holds(ben.page, 'First.')
      await expect.poll(() => name.inputValue()).toBe('Typed since')
      const add = async () => {
        await ben.page.getByRole('button', { name: 'Show changes: Eva' }).click()
        await dialog.getByRole('button', { name: 'Add to my changes' }).click()
        await holds(ben.page, 'By Eva.')
      }
      const away = async () => {
        await ben.page
          .getByRole('navigation', { name: 'Pages' })
          .getByRole('link', { name: 'Agents' })
          .click()
        await ben.page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
      }
      // The page is closed and opened again, and its input is newer than that of the notice.
      await add()
      await away()
      await ben.page.goBack()
      await name.fill('Typed in the next page')
      await ben.page.getByRole('button', { name: 'Undo' }).click()
      await holds(ben.page, 'First.')
      await expect.poll(() => name.inputValue()).toBe('Typed in the next page')
      // Newer input in an added setting is kept, and Ben is notified.
      await add()
      await away()
      await ben.page.goBack()
      await instructions(ben.page).fill('Newer than Eva.')
      await ben.page.getByRole('button', { name: 'Undo' }).click()
      await ben.page.getByText('Nothing to undo: the changes by Eva').waitFor()
      await holds(ben.page, 'Newer than Eva.')
      await instructions(ben.page).fill('First.')
      // With no editor open, the stored edit changes.
      await add()
      await away()
      await ben.page.getByRole('button', { name: 'Undo' }).click()
      await ben.page.goBack()
      await holds(ben.page, 'First.')
      await expect.poll(() => name.inputValue()).toBe('Typed in the next page')
      await name.fill('Colleagues')
      await ben.page.getByRole('button', { name: 'Show changes: Eva' }).click()
      await dialog.getByRole('button', { name: 'Add to my changes' }).click()
      await holds(ben.page, 'By Eva.')
      await saveButton(ben.page).click()
      await saved(ben.page)
      // Saved by another user, so no unsaved change is left.
      await saveButton(eva.page).waitFor({ state: 'detached', timeout: 20_000 })
      await ben.page.getByText('Eva has unsaved changes').waitFor({ state: 'detached', timeout: 20_000 })
      await eva.context.close()
      await ben.context.close()
    },
    PATIENCE_MS,
  )

  test(
    'are not offered to a viewer, whose page follows each save',
    async () => {
      const agentId = await newAgent(journey, 'Looked at', { instructions: 'First.' })
      const viewer = await journey.open(await journey.person('viewer'), agentPath(journey, agentId))
      await holds(viewer.page, 'First.')
      const eva = await journey.open(await journey.person('member', 'Eva'), agentPath(journey, agentId))
      await instructions(eva.page).fill('By Eva.')
      await saveButton(eva.page).click()
      await saved(eva.page)
      await holds(viewer.page, 'By Eva.')
      expect(viewer.faults).toEqual([])
      await eva.context.close()
      await viewer.context.close()
    },
    PATIENCE_MS,
  )
})

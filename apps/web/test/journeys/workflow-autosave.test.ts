import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { answerAsNewerBuild, FULL_DISK, SERVER_ERROR } from './page-faults.ts'
import { newWorkflow, nodesOf, renameStep, storedWorkflow, workflowPath } from './workflow-steps.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 240_000
const PAGE_MS = 90_000
const SAVES = /\/draft$/

describe.skipIf(CHROMIUM === null)('a draft that saves itself', { timeout: PATIENCE_MS }, () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney({})
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const nameIn = (page: Page) => page.getByRole('textbox', { name: 'Name of the step' })
  const stateOf = (page: Page, state: string) => page.locator(`[data-save-state="${state}"]`).first()
  const namesOf = async (workflowId: string) =>
    nodesOf(await storedWorkflow(journey, workflowId)).map(({ name }) => name)
  const edit = async (name: string, node = 'pay') => {
    const workflowId = await newWorkflow(journey, name)
    const person = await journey.person('member')
    const path = workflowPath(journey, workflowId, `?node=${node}&edit=1`)
    return { workflowId, person, path, ...(await journey.open(person, path)) }
  }

  test('a network lost while typing is reported, and everything is saved when it is back', async () => {
    const { page, context, workflowId } = await edit('Lost network')
    await nameIn(page).fill('Pay twice')
    await stateOf(page, 'saved').waitFor()
    await context.setOffline(true)
    await nameIn(page).fill('Pay three times')
    await stateOf(page, 'unreachable').waitFor()
    await page.getByText('It is kept on this device.').first().waitFor()
    await nameIn(page).fill('Pay four times')
    expect(await namesOf(workflowId)).toEqual(['Start', 'Pay twice'])
    await context.setOffline(false)
    await expect.poll(() => namesOf(workflowId)).toEqual(['Start', 'Pay four times'])
    await stateOf(page, 'saved').waitFor()
    await context.close()
  })

  test('a save with a lost response counts once, without a conflict', async () => {
    const { page, context, workflowId } = await edit('Lost answer')
    let lost = 0
    await page.route(SAVES, async (route) => {
      if (lost > 0) return await route.continue()
      lost += 1
      // The server has it; the page never receives the response.
      await route.fetch()
      await route.abort()
    })
    const { draftRevision } = await storedWorkflow(journey, workflowId)
    await nameIn(page).fill('Pay once')
    await stateOf(page, 'unreachable').waitFor()
    await stateOf(page, 'saved').waitFor()
    expect(lost).toBe(1)
    expect(await namesOf(workflowId)).toEqual(['Start', 'Pay once'])
    expect((await storedWorkflow(journey, workflowId)).draftRevision).toBe(draftRevision + 1)
    await context.close()
  })

  test('an expired session asks for a sign-in, and then saves the input of before and in the meantime', async () => {
    const { page, context, workflowId, person } = await edit('Expired sign-in')
    await nameIn(page).waitFor()
    await context.clearCookies()
    await nameIn(page).fill('Pay after all')
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByLabel('Password').fill(person.password)
    await page.keyboard.press('Enter')
    await again.waitFor({ state: 'detached' })
    await expect.poll(() => namesOf(workflowId)).toEqual(['Start', 'Pay after all'])
    expect(await nameIn(page).inputValue()).toBe('Pay after all')
    await context.close()
  })

  test('a sign-in that expires during 30 seconds offline is requested afterwards, and every edit is saved', async () => {
    const { page, context, workflowId, person } = await edit('Offline and signed out')
    const value = page.getByRole('complementary').getByRole('textbox', { name: 'Value' })
    await page.clock.install()
    await page.reload()
    await nameIn(page).fill('Pay at home')
    await stateOf(page, 'saved').waitFor()
    await context.setOffline(true)
    await nameIn(page).fill('Pay under way')
    await stateOf(page, 'unreachable').waitFor()
    // The session ends on the server: the browser keeps its cookie.
    const cookie = (await context.cookies()).map((one) => `${one.name}=${one.value}`).join('; ')
    const ended = await fetch(`${journey.url}/api/builder/v1/session`, {
      method: 'DELETE',
      headers: { cookie, origin: journey.url },
    })
    expect(ended.status).toBe(204)
    await page.clock.fastForward(30_000)
    await value.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('1047')
    await page.getByText('It is kept on this device.').first().waitFor()
    expect(await namesOf(workflowId)).toEqual(['Start', 'Pay at home'])

    await context.setOffline(false)
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByLabel('Password').fill(person.password)
    await page.keyboard.press('Enter')
    await again.waitFor({ state: 'detached' })
    await expect.poll(() => namesOf(workflowId)).toEqual(['Start', 'Pay under way'])
    const payOf = async () =>
      nodesOf(await storedWorkflow(journey, workflowId)).find(({ id }) => id === 'pay')
    await expect.poll(payOf).toMatchObject({ config: { rows: [{ name: 'order', value: '1047' }] } })
    await stateOf(page, 'saved').waitFor()
    expect(await nameIn(page).inputValue()).toBe('Pay under way')
    await context.close()
  })

  test('a tab that crashes in the middle of typing is taken over by the next one, without a tab that lives', async () => {
    const { page, context, workflowId, path } = await edit('Crashed')
    await context.route(SAVES, (route) => route.abort())
    await nameIn(page).fill('Typed and crashed')
    await stateOf(page, 'unreachable').waitFor()
    const living = await context.newPage()
    await living.goto(journey.url + path.replace('node=pay', 'node=start'))
    await nameIn(living).fill('Typed and alive')
    await stateOf(living, 'unreachable').waitFor()
    // Its renderer is killed: no handler of the page runs any more.
    await page.goto('chrome://crash').catch(() => undefined)
    await page.close()
    await context.unroute(SAVES)
    const next = await context.newPage()
    await next.goto(journey.url + path)
    await expect
      .poll(() => namesOf(workflowId), { timeout: 40_000 })
      .toEqual(['Typed and alive', 'Typed and crashed'])
    await expect.poll(() => nameIn(next).inputValue()).toBe('Typed and crashed')
    await context.close()
  })

  test('the error of a server is shown, and everything is saved once the server recovers', async () => {
    const { page, context, workflowId, path } = await edit('Failing server')
    await context.route(SAVES, (route) => route.fulfill(SERVER_ERROR))
    await nameIn(page).fill('Pay through errors')
    await stateOf(page, 'unreachable').waitFor()
    await page
      .getByText(
        'Not saved: An unexpected error occurred. (request r-500) The save is repeated automatically.',
      )
      .first()
      .waitFor()
    await page.getByText('It is kept on this device.').first().waitFor()
    expect(await namesOf(workflowId)).toEqual(['Start', 'Pay'])
    await context.unroute(SAVES)
    await expect.poll(() => namesOf(workflowId), { timeout: 40_000 }).toEqual(['Start', 'Pay through errors'])
    await stateOf(page, 'saved').waitFor()
    // It is saved once: a page that opens now finds nothing left to send.
    const { draftRevision } = await storedWorkflow(journey, workflowId)
    await page.goto(journey.url + path)
    await nameIn(page).waitFor({ timeout: PAGE_MS })
    await expect.poll(() => nameIn(page).inputValue()).toBe('Pay through errors')
    expect((await storedWorkflow(journey, workflowId)).draftRevision).toBe(draftRevision)
    await context.close()
  })

  test('a newer build is reported and loaded when the page is left; it saves the remaining edits', async () => {
    const { page, context, workflowId, path } = await edit('Newer build')
    await nameIn(page).fill('Pay in the old build')
    await stateOf(page, 'saved').waitFor()
    // A server that is being replaced: its requests fail first, then the new build responds.
    await context.route(SAVES, (route) => route.fulfill({ ...SERVER_ERROR, status: 503 }))
    await nameIn(page).fill('Pay between two builds')
    await stateOf(page, 'unreachable').waitFor()
    await answerAsNewerBuild(context)
    // Playwright's routes are matched from the last to the first: saves still fail.
    await context.unroute(SAVES)
    await context.route(SAVES, (route) => route.fulfill({ ...SERVER_ERROR, status: 503 }))
    await page.evaluate('window.isFormer = true')
    await page.getByRole('link', { name: 'Runs', exact: true }).first().click()
    await page.getByText('A new version of the builder is available.').waitFor()
    await page.getByRole('link', { name: 'Agents', exact: true }).click()
    // The page sends a last save while it unloads, or the next one finds the edit on the device.
    await expect.poll(() => page.evaluate('window.isFormer ?? false'), { timeout: PAGE_MS }).toBe(false)
    await context.unroute(SAVES)
    await page.goto(journey.url + path)
    await nameIn(page).waitFor({ timeout: PAGE_MS })
    await expect.poll(() => nameIn(page).inputValue()).toBe('Pay between two builds')
    await expect.poll(() => namesOf(workflowId)).toEqual(['Start', 'Pay between two builds'])
    await stateOf(page, 'saved').waitFor()
    await context.close()
  })

  test('on a full disk the page warns that it must stay open, keeps the edits, and saves them', async () => {
    const { page, context, workflowId, path } = await edit('Full disk')
    await context.addInitScript(FULL_DISK)
    await page.goto(journey.url + path)
    await nameIn(page).fill('Pay on a full disk')
    await stateOf(page, 'saved').waitFor()
    expect(await namesOf(workflowId)).toEqual(['Start', 'Pay on a full disk'])
    await page.getByText(/its storage is full or turned off/).waitFor({ state: 'detached' })

    await context.route(SAVES, (route) => route.abort())
    await nameIn(page).fill('Pay only here')
    await page.getByText('This browser cannot store it: do not close the page.').first().waitFor()
    await page.getByText(/its storage is full or turned off/).waitFor()
    await page.getByRole('link', { name: 'Runs', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
    await page.goBack()
    await expect.poll(() => nameIn(page).inputValue()).toBe('Pay only here')
    // The browser asks before the page is left; the user stays.
    const asked = page.waitForEvent('dialog')
    const left = page.evaluate('void setTimeout(() => location.reload())')
    await (await asked).dismiss()
    await left
    expect(await nameIn(page).inputValue()).toBe('Pay only here')
    await context.unroute(SAVES)
    await nameIn(page).press('Control+s')
    await stateOf(page, 'saved').waitFor()
    expect(await namesOf(workflowId)).toEqual(['Start', 'Pay only here'])
    await page.getByText(/its storage is full or turned off/).waitFor({ state: 'detached' })
    await context.close()
  })

  test('two tabs of one person merge the input of each', async () => {
    const { page, context, workflowId, path } = await edit('Two tabs')
    const other = await context.newPage()
    await other.goto(journey.url + path.replace('node=pay', 'node=start'))
    await nameIn(other).waitFor()
    await Promise.all([nameIn(page).fill('Of the first tab'), nameIn(other).fill('Of the second tab')])
    await expect.poll(() => namesOf(workflowId)).toEqual(['Of the second tab', 'Of the first tab'])
    await page.getByRole('row', { name: 'Of the second tab' }).waitFor()
    await other.getByRole('row', { name: 'Of the first tab' }).waitFor()
    for (const tab of [page, other]) {
      await stateOf(tab, 'saved').waitFor()
      expect(await tab.getByRole('dialog').count()).toBe(0)
    }
    await context.close()
  })

  test('two users who change different steps get both changes, and Undo of each reverts only their own', async () => {
    const workflowId = await newWorkflow(journey, 'Undone on both sides')
    const { draft } = await storedWorkflow(journey, workflowId)
    const open = async (name: string, node: string) =>
      journey.open(
        await journey.person('member', name),
        workflowPath(journey, workflowId, `?node=${node}&edit=1`),
      )
    const [mine, theirs] = [await open('Ana Stone', 'start'), await open('Eva Lake', 'pay')]
    const pages = [mine.page, theirs.page]
    const undo = (page: Page) => page.getByRole('button', { name: /^Undo last change: / })
    const isShown = async (names: string[]) => {
      await expect.poll(() => namesOf(workflowId)).toEqual(names)
      for (const page of pages) {
        for (const name of names) await page.getByRole('row', { name: new RegExp(`^${name}`) }).waitFor()
        await stateOf(page, 'saved').waitFor()
        expect(await page.getByRole('dialog').count()).toBe(0)
      }
    }
    // Neither has the change of the other when they make their own.
    for (const page of pages) {
      await nameIn(page).waitFor()
      await page.route(SAVES, (route) => route.abort())
    }
    await nameIn(mine.page).fill('Begin')
    await nameIn(theirs.page).fill('Refund')
    for (const page of pages) await stateOf(page, 'unreachable').waitFor()
    for (const page of pages) await page.unroute(SAVES)
    await Promise.all(pages.map((page) => nameIn(page).press('Control+s')))
    await isShown(['Begin', 'Refund'])

    await undo(mine.page).click()
    await isShown(['Start', 'Refund'])
    await undo(theirs.page).click()
    await isShown(['Start', 'Pay'])
    expect((await storedWorkflow(journey, workflowId)).draft).toEqual(draft)
    for (const page of pages) expect(await undo(page).count()).toBe(0)
    // Both at the same moment.
    await Promise.all(pages.map((page) => page.getByRole('heading', { level: 1 }).click()))
    await Promise.all(pages.map((page) => page.keyboard.press('Control+Shift+z')))
    await isShown(['Begin', 'Refund'])
    await Promise.all(pages.map((page) => undo(page).click()))
    await isShown(['Start', 'Pay'])
    expect((await storedWorkflow(journey, workflowId)).draft).toEqual(draft)
    expect([...mine.faults, ...theirs.faults]).toEqual([])
    await Promise.all([mine.context.close(), theirs.context.close()])
  })

  test('two users who change the same setting get one conflict, by step, and either choice can be undone', async () => {
    const { page, context, workflowId, ...window } = await edit('Two people')
    await page.route(SAVES, (route) => route.abort())
    await nameIn(page).fill('Mine')
    await stateOf(page, 'unreachable').waitFor()
    await renameStep(journey, workflowId, 'pay', 'Theirs')
    await page.unroute(SAVES)
    await nameIn(page).press('Control+s')
    await stateOf(page, 'conflict').waitFor()
    expect(await namesOf(workflowId)).toEqual(['Start', 'Theirs'])
    await page.getByRole('button', { name: 'Choose…' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Mine' }).waitFor()
    await expectGood({ page, context, ...window }, 'workflow-merge-steps')
    await dialog.getByRole('radio').nth(1).press('Space')
    await dialog.getByRole('button', { name: 'Save my choice' }).click()
    await stateOf(page, 'saved').waitFor()
    expect(await namesOf(workflowId)).toEqual(['Start', 'Theirs'])
    await page.getByRole('button', { name: /^Undo last change/ }).click()
    await expect.poll(() => namesOf(workflowId)).toEqual(['Start', 'Mine'])
    await context.close()
  })

  test.each([
    360, 1_440,
  ])('two editors settle a merge by keyboard with a third value, and with a copy of mine, at %d pixels', async (width) => {
    const workflowId = await newWorkflow(journey, `Merge ${width}`)
    const path = workflowPath(journey, workflowId, '?node=pay&edit=1')
    const open = async (name: string) => {
      const window = await journey.open(await journey.person('member', name), path, { width })
      window.page.setDefaultTimeout(PAGE_MS)
      return window
    }
    const [mine, theirs] = [await open('Ana Stone'), await open('Eva Lake')]
    const { page } = mine
    /** Both change the name before either of them receives the other's change. */
    const both = async (own: string, other: string) => {
      await page.route(SAVES, (route) => route.abort())
      await nameIn(page).fill(own)
      await stateOf(page, 'unreachable').waitFor({ state: 'attached' })
      await nameIn(theirs.page).fill(other)
      await expect.poll(() => namesOf(workflowId)).toEqual(['Start', other])
      await page.unroute(SAVES)
      await nameIn(page).press('Control+s')
      await stateOf(page, 'conflict').waitFor({ state: 'attached' })
      // On a phone the step covers the page, so its own button is the one in reach.
      await page.getByRole('button', { name: 'Choose…' }).last().press('Enter')
      const dialog = page.getByRole('dialog').last()
      await dialog.getByRole('heading', { name: own }).waitFor()
      for (const [side, text] of [
        ['Mine', own],
        ['Eva Lake', other],
        ['Before', 'Pay'],
      ] as const) {
        await dialog
          .getByRole('figure', { name: side })
          .getByText(text.split(' ')[1] ?? text)
          .first()
          .waitFor()
      }
      return dialog
    }
    const first = await both('Pay Monday', 'Pay Tuesday')
    await first.getByRole('radio', { name: 'Keep mine' }).press('ArrowUp')
    await first.getByRole('textbox', { name: 'Value of Name' }).fill('Pay Friday')
    await expectGood(mine, `workflow-merge-third-${width}`)
    await first.getByRole('button', { name: 'Save my choice' }).press('Enter')
    await expect.poll(() => namesOf(workflowId)).toEqual(['Start', 'Pay Friday'])
    await expect.poll(() => nameIn(theirs.page).inputValue()).toBe('Pay Friday')
    const second = await both('Pay Saturday', 'Pay Sunday')
    await second.getByRole('checkbox', { name: 'Keep mine as a copy' }).press('Space')
    await expectGood(mine, `workflow-merge-copy-${width}`)
    await second.getByRole('button', { name: 'Save my choice' }).press('Enter')
    await expect.poll(() => namesOf(workflowId)).toEqual(['Start', 'Pay Sunday', 'Pay Saturday'])
    const { draft } = await storedWorkflow(journey, workflowId)
    expect(draft.edges).toMatchObject([{ source: 'start', target: 'pay' }])
    expect([...mine.faults, ...theirs.faults]).toEqual([])
    await Promise.all([mine.context.close(), theirs.context.close()])
  })

  test('a restored version is one change, which Undo reverts', async () => {
    const { page, context, workflowId } = await edit('Restored')
    await asOperator(journey, `POST /workflows/${workflowId}/publish`, { draftRevision: 1 })
    await nameIn(page).fill('Pay later')
    await expect.poll(() => namesOf(workflowId)).toEqual(['Start', 'Pay later'])
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Actions for v1' }).click()
    await page.getByRole('menuitem', { name: 'Restore…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('The draft is version 1 again').waitFor()
    await expect.poll(() => namesOf(workflowId)).toEqual(['Start', 'Pay'])
    await page.getByRole('tab', { name: 'Editor' }).click()
    await page.getByRole('button', { name: 'Undo last change: Restore version 1' }).click()
    await expect.poll(() => namesOf(workflowId)).toEqual(['Start', 'Pay later'])
    await context.close()
  })
})

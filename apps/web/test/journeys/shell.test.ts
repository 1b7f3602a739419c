import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WIDTHS } from '../browser.ts'
import { hold } from './held-calls.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'

const DIST = join(import.meta.dirname, '..', '..', 'dist')

describe.skipIf(CHROMIUM === null)('the shell in Chromium', { timeout: 120_000 }, () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(async () => {
    await journey?.[Symbol.asyncDispose]()
  })
  const home = () => `/o/${journey.slug}`
  const makeAgent = (name: string) => asOperator(journey, 'POST /agents', { name })

  test.for(
    WIDTHS,
  )('signing in and Home are accessible and fit at %i pixels, in light and dark', async (width) => {
    const person = await journey.person('owner')
    const window = await journey.open(null, home(), { width })
    const { page, context } = window
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expectGood(window, `journey-sign-in-${width}`)
    await page.getByLabel('E-mail address').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await expectGood(window, `journey-home-${width}`)
    await context.close()
  })

  test.for(
    WIDTHS,
  )('the frame is painted before it is known who is signed in, at %i pixels', async (width) => {
    const person = await journey.person('member')
    const window = await journey.open(person, home(), { width })
    const { page, context } = window
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    const session = await hold(page, 'GET', /\/api\/builder\/v1\/session$/)
    await page.reload()
    await page.getByRole('main').getByRole('status', { name: 'Loading' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Loading' }).waitFor()
    expect(session.held).toHaveLength(1)
    await expectGood(window, `journey-frame-${width}`)
    await session.release()
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Loading' }).waitFor({ state: 'detached' })
    await context.close()
  })

  test('a wrong password is shown at its place, and the input stays', async () => {
    const { email } = await journey.person('member')
    const { page, context } = await journey.open(null, '/')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email)
    await context.close()
  })

  test('the keyboard reaches every place: palette, sequences, list of keys', async () => {
    const window = await journey.open(await journey.person('owner'), home())
    const { page, context } = window
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page
      .getByRole('dialog')
      .getByRole('combobox')
      .or(page.getByRole('dialog').getByRole('searchbox'))
      .waitFor()
    await page.keyboard.type('organization')
    await expectGood(window, 'journey-palette')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${home()}/settings/organization`)
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.waitForURL(`**${home()}`)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await expectGood(window, 'journey-keys')
    await page.keyboard.press('Escape')
    await makeAgent('Found by its filter')
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('Found by')
    await page.waitForURL(/q=Found/)
    await page.getByRole('link', { name: 'Found by its filter' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Found by its filter' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).waitFor()
    await page.keyboard.press('.')
    await page.getByRole('menu').waitFor()
    await context.close()
  })

  test('pages that lack a media server are found by keys and in the palette, which shows it', async () => {
    const { page, context } = await journey.open(await journey.person('owner'), home())
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Phone' }).count()).toBe(0)
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.waitForURL(`**${home()}/phone`)
    await page.getByText('This server is not connected to a media server').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('voice')
    await page
      .getByRole('menuitem', { name: /^Voice.*Needs a media server/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${home()}/voice`)
    await context.close()
  })

  test('along a list and to a name by keys, which are ordinary letters in fields', async () => {
    for (const name of ['Beside one', 'Beside two', 'Beside three']) await makeAgent(name)
    const list = `${home()}/agents?q=Beside&sort=name`
    const { page, context, faults } = await journey.open(await journey.person('owner'), list)
    const opened = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.getByRole('row', { name: /Beside one/ }).press('Enter')
    await opened('Beside one')
    await page.keyboard.press('Escape')
    await page.waitForURL(`**${list}`)
    await page.getByRole('row', { name: /Beside one/ }).press('Enter')
    await opened('Beside one')
    await page.keyboard.press(']')
    await opened('Beside three')
    await page.keyboard.press(']')
    await opened('Beside two')
    await page.keyboard.press('[')
    await opened('Beside three')
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('tabpanel', { name: 'Versions' }).waitFor()
    // The palette has the keyboard actions of the page.
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor()
    await page.keyboard.type('Rename')
    await page.keyboard.press('Enter')
    await page
      .locator('input:focus')
      .and(page.getByRole('textbox', { name: 'Name' }))
      .waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type(' ]e[')
    await opened('Beside three ]e[')
    await page.goBack()
    await page.goBack()
    await page.waitForURL(`**${list}`)
    expect(faults).toEqual([])
    await context.close()
  })

  test('a project that is not an id or does not exist falls back to all projects', async () => {
    const window = await journey.open(await journey.person('owner'), `${home()}/agents?project=nonsense`)
    const { page, context, faults } = window
    const row = page.getByRole('row').nth(1)
    await row.waitFor()
    await page.goto(`${journey.url}${home()}/agents?status=active&project=${randomUUID()}`)
    await page.getByText('Project not found').waitFor()
    await page.waitForURL(`**${home()}/agents?status=active`)
    await row.waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('a project that is in no list of a thousand is found by its id', async () => {
    const { page, context, faults } = await journey.open(await journey.person('owner'), home())
    await page.getByRole('heading', { level: 1 }).waitFor()
    let questions = 0
    // The list that the pages load, as it is in an organization with more projects than that.
    await page.route(/\/projects\?/, async (route) => {
      if (route.request().url().includes('q=')) questions += 1
      else return route.fulfill({ json: { data: [], total: 1_500, page: 1, limit: 100 } })
      return route.continue()
    })
    const place = `${home()}/agents?project=${journey.server.seed.projectId}`
    await page.goto(journey.url + place)
    await expect.poll(() => questions).toBe(1)
    await page.getByRole('table').or(page.getByText('No agents yet')).first().waitFor()
    expect(await page.getByText('Project not found').count()).toBe(0)
    expect(page.url()).toBe(journey.url + place)
    expect(faults).toEqual([])
    await context.close()
  })

  test('text typed into the palette before its code has loaded is kept', async () => {
    const window = await journey.open(await journey.person('owner'), '/')
    const { page, context } = window
    const manifest = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8'))
    let send = () => {}
    const isHeld = new Promise<void>((resolve) => {
      send = resolve
    })
    await context.route(`**/${manifest['src/features/palette/palette.tsx'].file}`, async (route) => {
      await isHeld
      await route.continue()
    })
    await page.goto(journey.url + home())
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    const opener = page.getByRole('button', { name: /Search/ })
    await opener.focus()
    await page.keyboard.press('Enter')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    const field = palette.getByRole('searchbox')
    await page.keyboard.type('sett')
    expect(await field.inputValue()).toBe('sett')
    await expectGood(window, 'journey-palette-waiting')
    // Escape closes it, and the focus is where it was.
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement?.textContent')).toMatch(/^Search/)
    await page.keyboard.press('Control+k')
    const typed = 'abcdefghijklmnopqrstuvwxyz'.repeat(4)
    const typing = page.keyboard.type(typed, { delay: 15 })
    send()
    await typing
    await page.getByText('Nothing found', { exact: false }).or(palette.getByRole('menu')).first().waitFor()
    expect(await palette.getByRole('searchbox').or(palette.getByRole('combobox')).inputValue()).toBe(typed)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    // React Aria restores the focus in the next frame.
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toMatch(/^Search/)
    await context.close()
  })

  test('Enter before the code of the palette has arrived opens the first match', async () => {
    const { page, context } = await journey.open(await journey.person('owner'), '/')
    const manifest = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8'))
    const sent: (() => void)[] = []
    await context.route(`**/${manifest['src/features/palette/palette.tsx'].file}`, (route) => {
      sent.push(() => void route.continue())
    })
    await page.goto(journey.url + home())
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('organization')
    await page.keyboard.press('Enter')
    await expect.poll(() => sent.length).toBe(1)
    for (const send of sent) send()
    await page.waitForURL(`**${home()}/settings/organization`)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await context.close()
  })

  test('an expired session asks for a sign-in over the page, which then continues', async () => {
    const person = await journey.person('admin')
    const window = await journey.open(person, home())
    const { page, context } = window
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await context.clearCookies()
    // Either request may come first: of the opened page, or a refetch after a change.
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await expectGood(window, 'journey-sign-in-again')
    await page.getByLabel('Password').fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('Requests per minute').waitFor()
    await context.close()
  })

  test('a new slug of the organization changes the URL of a page, which keeps its input', async () => {
    const { page, context } = await journey.open(
      await journey.person('owner'),
      `${home()}/settings/models/new#here`,
    )
    await page.getByRole('link', { name: /OpenAI-compatible/ }).click()
    await page.getByLabel(/^API key/).fill('sk-typed-and-not-saved')
    const organization = `${journey.url}/api/builder/v1/organizations/${journey.server.seed.organizationId}`
    const call = async (change: object) => {
      const { version } = await (await page.request.get(organization)).json()
      const headers = { origin: journey.url }
      const answer = await page.request.put(organization, { data: { version, ...change }, headers })
      expect(answer.status()).toBe(200)
    }
    const path = () => new URL(page.url()).pathname
    await call({ slug: 'moved-elsewhere' })
    await expect.poll(path).toMatch(/^\/o\/moved-elsewhere\/settings\/models\/new/)
    expect(await page.getByLabel(/^API key/).inputValue()).toBe('sk-typed-and-not-saved')
    await call({ slug: journey.slug })
    await expect.poll(path).toContain(`/o/${journey.slug}/`)
    expect(await page.getByLabel(/^API key/).inputValue()).toBe('sk-typed-and-not-saved')
    await context.close()
  })

  test('the own change of the slug leaves the page open, with the project and the notice', async () => {
    const project = `?project=${journey.server.seed.projectId}`
    const { page, context } = await journey.open(
      await journey.person('owner'),
      `${home()}/settings/organization${project}`,
    )
    await page.evaluate('window.isSamePage = true')
    const save = async (slug: string) => {
      await page.getByRole('textbox', { name: 'Slug' }).fill(slug)
      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect.poll(() => new URL(page.url()).pathname).toBe(`/o/${slug}/settings/organization`)
    }
    await save('moved-by-myself')
    await page.getByText('The organization was saved').waitFor()
    expect(new URL(page.url()).search).toBe(project)
    await save(journey.slug)
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    await context.close()
  })

  test('an unknown address, and an organization of others, are reported', async () => {
    const window = await journey.open(await journey.person('viewer'), `${home()}/nowhere`)
    await window.page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor()
    await expectGood(window, 'journey-gone')
    await window.page.getByRole('main').getByRole('button', { name: 'Search' }).click()
    await window.page.getByRole('dialog', { name: 'Search or jump to' }).waitFor()
    // This server has no media server.
    await window.page.goto(`${journey.url}${home()}/voice`)
    await window.page.locator('summary', { hasText: 'Connect a media server' }).click()
    await window.page.getByText('VOICE_INTERNAL_TOKEN', { exact: true }).waitFor()
    await window.page.goto(`${journey.url}/o/of-others`)
    await window.page
      .getByRole('heading', { level: 1, name: 'There is no organization at this address that you can open' })
      .waitFor()
    await window.page.getByText(/the membership was suspended or has ended/).waitFor()
    await expectGood(window, 'journey-no-membership')
    await window.context.close()
  })

  test('a phone has its main pages at the foot, below nothing that has the focus, and a filter that one press clears', async () => {
    await makeAgent('On a phone')
    const { page, context } = await journey.open(await journey.person('owner'), home(), { width: 360 })
    const foot = page.getByRole('navigation', { name: 'Main pages' })
    await foot.waitFor()
    expect(await foot.getByRole('link').allInnerTexts()).toEqual([
      'Home',
      'Reviews',
      'Agents',
      'Workflows',
      'Runs',
    ])
    await foot.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    expect(await foot.locator('[aria-current="page"]').innerText()).toBe('Agents')
    // A window as low as a list: focused elements are never below the bar.
    await page.setViewportSize({ width: 360, height: 300 })
    const link = page.getByRole('link', { name: 'On a phone' })
    await link.focus()
    const [row, bar] = [await link.boundingBox(), await foot.boundingBox()]
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: /^All states/ }).click()
    await page.getByRole('option', { name: 'Archived' }).click()
    await page.waitForURL(/status=archived/)
    await page.getByRole('button', { name: 'Clear the filter: Status' }).click()
    await page.waitForURL((url) => !url.search.includes('status'))
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toContain('All states')
    // The message of a conversation takes the place of the bar.
    await link.click()
    await page.getByRole('tab', { name: 'Playground' }).click()
    await page
      .getByRole('textbox', { name: /message/i })
      .first()
      .waitFor()
    await foot.waitFor({ state: 'hidden' })
    await context.close()
  })

  test('the theme of the menu is kept after a reload', async () => {
    const { page, context } = await journey.open(await journey.person('owner'), home())
    await page.getByRole('button', { name: 'Account Ana' }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await context.close()
  })
})

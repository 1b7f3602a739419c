import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UNTRUSTED_HOST } from '@troupe/test-kit/chromium'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WIDTHS } from '../browser.ts'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'

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
  const makeAgent = async (name: string) => {
    const { server } = journey
    const path = `POST /api/builder/v1/organizations/${server.seed.organizationId}/agents`
    const headers = { authorization: `Bearer ${server.adminToken}` }
    expect((await server.call(path, { key: null, headers, body: { name } })).status).toBe(201)
  }

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

  test('a wrong password is said in its place, and what was typed stays', async () => {
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

  test('pages that lack a media server are found by keys and in the palette, which says so', async () => {
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
    // The palette has what the page does by keys.
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

  test('a project that is no id or does not exist falls back to all projects', async () => {
    const window = await journey.open(await journey.person('owner'), `${home()}/agents?project=nonsense`)
    const { page, context, faults } = window
    const row = page.getByRole('row').nth(1)
    await row.waitFor()
    await page.goto(`${journey.url}${home()}/agents?status=active&project=${randomUUID()}`)
    await page.getByText('There is no such project').waitFor()
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
    expect(await page.getByText('There is no such project').count()).toBe(0)
    expect(page.url()).toBe(journey.url + place)
    expect(faults).toEqual([])
    await context.close()
  })

  test('what is typed into the palette before its code has arrived is kept', async () => {
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
    expect(await page.evaluate('document.activeElement?.textContent')).toMatch(/^Search/)
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

  test('a sign-in that ends asks again over the page, which then goes on', async () => {
    const person = await journey.person('admin')
    const window = await journey.open(person, home())
    const { page, context } = window
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await context.clearCookies()
    // Whichever asks first: the page that is opened here, or one that asks again for what has changed.
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

  test('a page opens one connection for changes, and another one after a sign-in that ended', async () => {
    const person = await journey.person('owner')
    const { page, context } = await journey.open(person, '/')
    const opened: string[] = []
    page.on('request', (request) => {
      if (/\/events\?/.test(request.url())) opened.push(request.url())
    })
    await page.goto(journey.url + home())
    await page.waitForResponse(/\/events\?/)
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    expect(opened).toHaveLength(1)
    await page.request.delete(`${journey.url}/api/builder/v1/session`, { headers: { origin: journey.url } })
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    const again = page.waitForResponse((response) => /\/events\?/.test(response.url()) && response.ok())
    await page.getByLabel('Password').fill(person.password)
    await page.keyboard.press('Enter')
    await again
    await context.close()
  })

  test('over plain http on a local network, two tabs share one connection, and the other goes on with it', async () => {
    const lan = journey.url.replace('127.0.0.1', UNTRUSTED_HOST)
    const person = await journey.person('owner')
    const { page, context } = await journey.open(null, '/')
    const reading = new Set<Request>()
    const opened: string[] = []
    context.on('request', (request) => {
      if (!/\/events\?/.test(request.url())) return
      reading.add(request)
      opened.push(request.url())
    })
    context.on('requestfailed', (request) => void reading.delete(request))
    context.on('requestfinished', (request) => void reading.delete(request))
    await page.goto(lan)
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    expect(await page.evaluate<boolean[]>("[isSecureContext, 'locks' in navigator]")).toEqual([false, false])
    await expect.poll(() => reading.size).toBe(1)
    const other = await context.newPage()
    await other.goto(`${lan}${home()}/agents`)
    await other.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    await makeAgent('Made while two look')
    await other.getByText('Made while two look').first().waitFor()
    expect([reading.size, opened.length]).toEqual([1, 1])
    await page.close()
    await expect.poll(() => reading.size, { timeout: 15_000 }).toBe(1)
    await makeAgent('Made after one was closed')
    await other.getByText('Made after one was closed').first().waitFor()
    await context.close()
  })

  test('what is saved between the first answer of a page and its connection is shown', async () => {
    const { page, context } = await journey.open(await journey.person('owner'), '/')
    let connect = () => {}
    const isHeld = new Promise<void>((resolve) => {
      connect = resolve
    })
    await context.route(/\/events\?/, async (route) => {
      await isHeld
      await route.continue()
    })
    const name = `Made in between ${randomUUID().slice(0, 8)}`
    await page.goto(`${journey.url}${home()}/agents`)
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    await page.getByRole('table').or(page.getByText('New agent')).first().waitFor()
    await makeAgent(name)
    expect(await page.getByRole('link', { name }).count()).toBe(0)
    connect()
    await page.getByRole('link', { name }).waitFor()
    await context.close()
  })

  test('what is saved during the first question of a second tab is shown there', async () => {
    const { page, context } = await journey.open(await journey.person('owner'), '/')
    const { server } = journey
    await page.goto(`${journey.url}${home()}/agents`)
    await page.waitForResponse(/\/events\?/)
    const second = await context.newPage()
    const name = `Made for two ${randomUUID().slice(0, 8)}`
    // Its list is answered as it was before the change.
    await second.route(
      /\/agents\?/,
      async (route) => {
        const answer = await route.fetch()
        const made = await server.call(
          `POST /api/builder/v1/organizations/${server.seed.organizationId}/agents`,
          { key: null, headers: { authorization: `Bearer ${server.adminToken}` }, body: { name } },
        )
        expect(made.status).toBe(201)
        await route.fulfill({ response: answer })
      },
      { times: 1 },
    )
    await second.goto(`${journey.url}${home()}/agents`)
    await second.getByRole('link', { name }).waitFor()
    await page.getByRole('link', { name }).waitFor()
    await context.close()
  })

  test('an error is said where it happened, with the request id, and Retry repairs it', async () => {
    const window = await journey.open(await journey.person('owner'), home())
    const { page, context } = window
    let isBroken = true
    await context.route('**/api/builder/v1/organizations/*', (route) =>
      isBroken
        ? route.fulfill({
            status: 404,
            contentType: 'application/json',
            headers: { 'x-request-id': 'r-123' },
            body: JSON.stringify({ error: 'organization_not_found', message: 'No such organization.' }),
          })
        : route.continue(),
    )
    await page.goto(`${journey.url}${home()}/settings/organization`)
    await page.getByText('r-123').waitFor()
    await expectGood(window, 'journey-error')
    isBroken = false
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Requests per minute').waitFor()
    await context.close()
  })

  test('offline is said above the page, reading goes on, and what sends says why it cannot', async () => {
    const { page, context } = await journey.open(await journey.person('owner'), `${home()}/agents`)
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    const create = page.getByRole('button', { name: 'New agent' }).first()
    expect(await create.getAttribute('aria-disabled')).toBeNull()
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await create.getAttribute('aria-disabled')).toBe('true')
    expect(await create.getAttribute('aria-description')).toBe('You are offline.')
    await create.press('Enter')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await context.setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await create.press('Enter')
    await page.getByRole('dialog', { name: 'New agent' }).waitFor()
    await context.close()
  })

  test('what was not loaded before the network went away says so, and is loaded when it is back', async () => {
    const { page, context } = await journey.open(await journey.person('owner'), `${home()}/workflows`)
    const title = page.getByRole('heading', { level: 1, name: 'Workflows' })
    await title.waitFor()
    // The browser has the code of the page from here on, and the next page has none of its answers.
    await page.goto(`${journey.url}${home()}/agents`)
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('link', { name: 'Workflows', exact: true }).click()
    await title.waitFor()
    await page.getByText('You are offline, and this was not loaded before.').first().waitFor()
    await context.setOffline(false)
    await page.getByText('You are offline').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New workflow' }).first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await context.close()
  })

  test('a page that was opened without a network opens, with its styles, when the network is back', async () => {
    const { page, context } = await journey.open(
      await journey.person('owner'),
      `${home()}/settings/organization`,
    )
    await page.getByRole('heading', { level: 1, name: 'Organization' }).waitFor()
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByText('The page opens as soon as the connection is back.').waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    // A stylesheet that failed exists, too, without a rule.
    const rules = await page.evaluate<number[]>(
      `[...document.styleSheets].filter(({ href }) => href?.includes('/audit-page-')).map(({ cssRules }) => cssRules.length)`,
    )
    expect(rules).toEqual([expect.toSatisfy((count: number) => count > 0)])
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await context.close()
  })

  test('a new address of the organization changes that of a page, which stays with what is typed in it', async () => {
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

  test('the own new address of the organization leaves its page open, with the project and what was said', async () => {
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

  test('an address that leads nowhere, and an organization of others, say so', async () => {
    const window = await journey.open(await journey.person('viewer'), `${home()}/nowhere`)
    await window.page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor()
    await expectGood(window, 'journey-gone')
    await window.page.getByRole('main').getByRole('button', { name: 'Search' }).click()
    await window.page.getByRole('dialog', { name: 'Search or jump to' }).waitFor()
    // This server has no media server.
    await window.page.goto(`${journey.url}${home()}/voice`)
    await window.page.getByText('VOICE_INTERNAL_TOKEN', { exact: true }).waitFor()
    await window.page.goto(`${journey.url}/o/of-others`)
    await window.page
      .getByRole('heading', { level: 1, name: 'There is no organization at this address that you can open' })
      .waitFor()
    await window.page.getByText(/the membership was suspended or has ended/).waitFor()
    await expectGood(window, 'journey-no-membership')
    await window.context.close()
  })

  test('the theme of the menu holds after a reload', async () => {
    const { page, context } = await journey.open(await journey.person('owner'), home())
    await page.getByRole('button', { name: 'Account Ana' }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await context.close()
  })
})

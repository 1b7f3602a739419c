import type { Organization } from '@troupe/contract/builder'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtFile } from './built-file.ts'
import { FORM_CASES, type FormCase, seedFormCases } from './form-cases.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'
import { answerAsNewerBuild, FULL_DISK, SERVER_ERROR } from './page-faults.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000
const POLL = { timeout: 20_000, interval: 50 }

/** Runs in the page: everything that the storage of this browser has, as text. */
const KEPT = `new Promise((resolve, reject) => {
  const opened = indexedDB.open('troupe')
  opened.onerror = () => reject(opened.error)
  opened.onsuccess = () => {
    const all = opened.result.transaction('values').objectStore('values').getAll()
    all.onsuccess = () => { opened.result.close(); resolve(JSON.stringify(all.result)) }
  }
})`

type Fault = 'none' | 'cut' | 'broken'

/** One form of each way in which edits are kept. */
const KINDS_OF_FORMS = FORM_CASES.filter(({ name }) =>
  [
    'the editor of an agent',
    'a text for a knowledge base',
    'the name of a workflow',
    'the organization',
    'a configuration of models',
  ].includes(name),
).map((form) => [form.name, { ...form, typed: changedTexts(form.typed) }] as const)

/** Texts that differ from those saved by earlier tests. */
function changedTexts(typed: FormCase['typed']): FormCase['typed'] {
  return Object.fromEntries(Object.entries(typed).map(([label, text]) => [label, `${text}, again`]))
}

describe.skipIf(CHROMIUM === null)('faults while a form is sent', () => {
  let journey: Journey
  let ids: Readonly<Record<string, string>>
  beforeAll(async () => {
    journey = await startJourney()
    ids = await seedFormCases(journey)
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const pathOf = ({ path }: FormCase) =>
    `/o/${journey.slug}/${path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? '')}`

  test.for(
    FORM_CASES.map((form) => [form.name, form] as const),
  )('%s outlives a reload, a lost network, a server that fails, and a sign-in that ended', {
    timeout: PATIENCE_MS,
  }, async ([_, form]) => {
    const person = await journey.person('owner')
    const { page, context, faults } = await journey.open(person, pathOf(form))
    const fault = await breakable(context, form.call)
    await form.open?.(page)
    await fill(page, form)
    await expect
      .poll(() => page.evaluate<string>(KEPT), POLL)
      .toContain(JSON.stringify(longest(form)).slice(1, -1))
    await page.reload()
    await form.open?.(page)
    await expectTyped(page, form)
    await form.choose?.(page)

    fault.is = 'cut'
    await send(page, form)
    await page.getByText('The server could not be reached.').first().waitFor()
    await expectTyped(page, form)

    fault.is = 'broken'
    await send(page, form)
    await page.getByText('r-500').first().waitFor()
    await expectTyped(page, form)

    fault.is = 'none'
    await context.clearCookies()
    await send(page, form)
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByLabel('Password').fill(person.password)
    await page.keyboard.press('Enter')
    await again.waitFor({ state: 'detached' })
    await expectTyped(page, form)
    if (!form.keepsTries) expect(await page.getByText('Please sign in first.').count()).toBe(0)

    await send(page, form)
    await page
      .getByText(form.done)
      .or(page.getByRole('button', { name: form.done }))
      .filter({ visible: true })
      .first()
      .waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test.for(KINDS_OF_FORMS)('%s: a full disk is reported, and the edit survives navigation within the page', {
    timeout: PATIENCE_MS,
  }, async ([_, form]) => {
    const { page, context, faults } = await journey.open(await journey.person('owner'), '/')
    await context.addInitScript(FULL_DISK)
    await page.goto(journey.url + pathOf(form))
    await form.open?.(page)
    await fill(page, form)
    await page.getByText(/its storage is full or turned off/).waitFor()
    // Closes a dialog; on a page, Escape would open its list.
    if (form.open) await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
    await page.goBack()
    await form.open?.(page)
    await expectTyped(page, form)
    const asked = page.waitForEvent('dialog')
    const reload = page.reload()
    await (await asked).accept()
    await reload
    expect(faults).toEqual([])
    await context.close()
  })

  test.for(
    KINDS_OF_FORMS,
  )('%s: a newer build is reported, loaded when the page is left, and keeps the edit', {
    timeout: PATIENCE_MS,
  }, async ([_, form]) => {
    const { page, context, faults } = await journey.open(await journey.person('owner'), pathOf(form))
    await page.waitForLoadState('networkidle')
    await form.open?.(page)
    await fill(page, form)
    await answerAsNewerBuild(context)
    await page.evaluate('window.isFormer = true')
    // Closes a dialog; on a page, Escape would open its list.
    if (form.open) await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByText('A new version of the builder is available.').waitFor()
    await page.getByRole('link', { name: 'Agents', exact: true }).click()
    await expect.poll(() => page.evaluate('window.isFormer ?? false'), POLL).toBe(false)
    await page.goto(journey.url + pathOf(form))
    await form.open?.(page)
    await expectTyped(page, form)
    expect(faults).toEqual([])
    await context.close()
  })

  test('a part that the server no longer has is reported, and reloaded by a press', {
    timeout: PATIENCE_MS,
  }, async () => {
    const { page, context } = await journey.open(await journey.person('owner'), `/o/${journey.slug}`)
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    const gone = `**/${builtFile('src/features/usage/usage-page.tsx')}`
    await context.route(gone, (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto(`${journey.url}/o/${journey.slug}/usage`)
    await page.getByRole('heading', { level: 1, name: 'A part of this page could not be loaded' }).waitFor()
    await context.unroute(gone)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    await context.close()
  })

  test('two tabs of one user show one edit; neither replaces the input of the other', {
    timeout: PATIENCE_MS,
  }, async () => {
    const path = `/o/${journey.slug}/agents/${ids.agent}`
    const { page: first, context } = await journey.open(await journey.person('member', 'Tia'), path)
    const second = await context.newPage()
    await second.goto(journey.url + path)
    const typedIn = (page: Page) => page.getByRole('textbox', { name: /^Description/ })
    await first.getByRole('textbox', { name: 'Instructions' }).fill('Typed in the first tab.')
    await second.getByText('Typed in the first tab.').first().waitFor()
    await typedIn(second).fill('Typed in the second tab')
    await expect.poll(() => typedIn(first).inputValue(), POLL).toBe('Typed in the second tab')
    await first.reload()
    await first.getByText('Typed in the first tab.').first().waitFor()
    expect(await typedIn(first).inputValue()).toBe('Typed in the second tab')
    await first.getByRole('button', { name: /^Save/ }).click()
    await first.getByText(/^Callers run version \d+ now/).waitFor()
    await second.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    await context.close()
  })

  test('a colleague’s save changes untouched fields, and never my input', {
    timeout: PATIENCE_MS,
  }, async () => {
    const { page, context } = await journey.open(
      await journey.person('admin', 'Ada'),
      `/o/${journey.slug}/settings/organization`,
    )
    // The page receives changes once it is connected.
    await page.waitForLoadState('networkidle')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Named by Ada')
    const rpm = page.getByRole('textbox', { name: 'Requests per minute' })
    const now = async () => await asOperator<Organization>(journey, 'GET ')
    await asOperator(journey, 'PUT ', { limits: { rpm: 777 } })
    await expect.poll(() => rpm.inputValue(), POLL).toBe('777')
    expect(await name.inputValue()).toBe('Named by Ada')
    await asOperator(journey, 'PUT ', { name: 'Named by the operator' })
    await page.getByText(/^Name was changed in the meantime/).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The organization was saved').waitFor()
    expect(await now()).toMatchObject({ name: 'Named by Ada', limits: { rpm: 777 } })

    // A page without events gets the conflict when it saves.
    await context.route('**/events?*', (route) => route.abort())
    await page.reload()
    await name.fill('Again by Ada')
    await asOperator(journey, 'PUT ', { limits: { rpm: 778 } })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('dialog', { name: /changed this organization/ }).waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('The organization was saved').waitFor()
    expect(await now()).toMatchObject({ name: 'Again by Ada', limits: { rpm: 778 } })
    await context.close()
  })
})

/** Breaks the calls of one operation in the way of `is`. */
async function breakable(context: BrowserContext, call: RegExp): Promise<{ is: Fault }> {
  const fault: { is: Fault } = { is: 'none' }
  await context.route('**/api/builder/v1/**', (route: Route) => {
    const target = `${route.request().method()} ${new URL(route.request().url()).pathname}`
    if (fault.is === 'none' || !call.test(target)) return route.continue()
    if (fault.is === 'cut') return route.abort('internetdisconnected')
    return route.fulfill(SERVER_ERROR)
  })
  return fault
}

async function fill(page: Page, { typed }: FormCase): Promise<void> {
  for (const [label, text] of Object.entries(typed)) {
    await fieldOf(page, label).click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(text)
  }
  // A number is committed when its field loses the focus.
  await page.keyboard.press('Tab')
}

function fieldOf(page: Page, label: string) {
  return page.getByRole('textbox', { name: new RegExp(`^${label}( \\(optional\\))?$`) }).first()
}

async function expectTyped(page: Page, { typed }: FormCase): Promise<void> {
  for (const [label, text] of Object.entries(typed)) {
    const field = fieldOf(page, label)
    await field.waitFor()
    const isEditor = (await field.getAttribute('contenteditable')) === 'true'
    const read = () => (isEditor ? field.innerText() : field.inputValue())
    await expect.poll(async () => squeezed(await read()), POLL).toContain(squeezed(text))
  }
}

/** An editor shows blank lines in its own way. */
function squeezed(text: string): string {
  return text.replaceAll(/[\s$]+/g, ' ').trim()
}

function longest({ typed }: FormCase): string {
  return Object.values(typed).toSorted((a, b) => b.length - a.length)[0] ?? ''
}

async function send(page: Page, { save }: FormCase): Promise<void> {
  const dialog = page.getByRole('dialog')
  const place = (await dialog.count()) > 0 ? dialog : page.locator('body')
  const isExact = typeof save === 'string'
  await place
    .getByRole('button', { name: save, ...(isExact ? { exact: true } : {}) })
    .last()
    .click()
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, expectGood, type Journey, startJourney } from './journey.ts'

describe.skipIf(CHROMIUM === null)('the API reference', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 240_000)
  afterAll(async () => journey?.[Symbol.asyncDispose]())

  test('an operation is found by its words, and the section in view is marked', async () => {
    const { page } = await journey.open(null, '/docs')
    await page.keyboard.press('/')
    await page.keyboard.type('cancel team job')
    const navigation = page.getByRole('navigation', { name: 'Operations' })
    await expect.poll(() => navigation.getByRole('listitem').count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/team-runs#cancelTeamJob')
    const marked = () => navigation.locator('[aria-current="location"]').textContent()
    await expect.poll(marked).toContain('Cancel an asynchronous team run')
    await page.evaluate('scrollTo(0, 0)')
    await expect.poll(marked).toContain('Run a team and wait for the answer')
    await page.keyboard.press('/')
    await page.keyboard.type('nothing of this')
    await navigation.getByText('Nothing is named “nothing of this”.').waitFor()
  }, 60_000)

  test('a request is sent with a key, and a refusal is shown as it is', async () => {
    const { page } = await journey.open(null, '/docs/agents')
    const list = page.locator('#listAgents')
    await list.getByText('Send this request').click()
    await list.getByLabel('API key').fill(journey.server.seed.keys.organization)
    await list.getByRole('button', { name: 'Send' }).click()
    await list.getByRole('status').filter({ hasText: '200' }).waitFor()
    await expect.poll(() => list.locator('.sent code').textContent()).toContain('"total"')
    // The key is there for the other operations of the page.
    const create = page.locator('#createAgent')
    await create.getByText('Send this request').click()
    expect(await create.getByLabel('API key').inputValue()).toBe(journey.server.seed.keys.organization)
    await create.getByLabel('Body').fill('{"name": 1}')
    await create.getByRole('button', { name: 'Send' }).click()
    await create.getByRole('status').filter({ hasText: '400' }).waitFor()
    await expect.poll(() => create.locator('.sent code').textContent()).toContain('validation_error')
    await create.getByLabel('Body').fill('{"name"')
    await create.getByRole('button', { name: 'Send' }).click()
    await create.getByText('The body is not JSON').waitFor()
  }, 60_000)

  test('an answer is indented with every digit of its numbers', async () => {
    const { page } = await journey.open(null, '/docs/agents')
    // Numbers as a configuration may have them: `JSON.parse` rounds the first one, and drops the zero of the second.
    const body = '{"seed":12345678901234567890,"temperature":1.0}'
    await page.route('**/api/v1/agents', (route) => route.fulfill({ contentType: 'application/json', body }))
    const list = page.locator('#listAgents')
    await list.getByText('Send this request').click()
    await list.getByLabel('API key').fill('trp_test')
    await list.getByRole('button', { name: 'Send' }).click()
    await expect
      .poll(() => list.locator('.sent code').textContent())
      .toBe('{\n  "seed": 12345678901234567890,\n  "temperature": 1.0\n}')
  }, 60_000)

  test('a language that is chosen once is the language of every example, on other pages too', async () => {
    const { page } = await journey.open(null, '/docs/agents')
    await page.locator('#listAgents').getByText('Python').click()
    const shown = (id: string) => page.locator(`#${id} .code pre:visible`).first().textContent()
    expect(await shown('createAgent')).toContain('client.create_agent(')
    await page.goto(`${journey.url}/docs/agent-runs`)
    expect(await shown('runAgent')).toContain('client.run_agent(')
  }, 60_000)

  test('the pages have no visual faults in any theme, and a phone opens the navigation as a menu', async () => {
    // The first operation of agent runs is the current one, and a POST.
    for (const path of ['/docs', '/docs/agents', '/docs/agent-runs', '/docs/errors']) {
      for (const width of [1_440, 360]) {
        const window = await journey.open(null, path, { width })
        await expectGood(window, `reference${path.replaceAll('/', '-')}-${width}`)
        await window.context.close()
      }
    }
    const { page } = await journey.open(null, '/docs', { width: 360 })
    const navigation = page.getByRole('navigation', { name: 'Operations' })
    expect(await navigation.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await navigation.getByRole('link', { name: 'Agent runs' }).click()
    await page.waitForURL('**/docs/agent-runs')
    const body = page.locator('#runAgent').getByText('The prompt; not only white space.')
    expect(await body.isVisible()).toBe(false)
    await page.locator('#runAgent').getByRole('heading', { name: 'Body' }).click()
    expect(await body.isVisible()).toBe(true)
  }, 120_000)
})

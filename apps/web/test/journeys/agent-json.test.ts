import { propertyOf } from '@troupe/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentPath, configOf, newAgent, saveButton, saved } from './agent-steps.ts'
import { CHROMIUM, type Journey, startJourney } from './journey.ts'

/** Generous: a page may be slow on a loaded machine. */
const PATIENCE_MS = 90_000

describe.skipIf(CHROMIUM === null)('the JSON of an agent', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await startJourney()
  }, 180_000)
  afterAll(() => journey?.[Symbol.asyncDispose]())

  const call = (target: string, body?: object) => journey.server.call(target, body ? { body } : {})

  test(
    'JSON that cannot be read yet stays where other parts of the page are looked at and changed',
    async () => {
      const tool = { type: 'http', name: 'orders', description: 'Finds orders.', method: 'GET' }
      const agentId = await newAgent(journey, 'Half', { tools: [{ ...tool, url: 'https://shop.example/' }] })
      const { page, context } = await journey.open(
        await journey.person('member'),
        agentPath(journey, agentId, '?open=tools'),
      )
      await page.locator('summary').filter({ hasText: 'orders' }).click()
      await page.locator('summary').filter({ hasText: 'Limits and more' }).click()
      await page.locator('summary').filter({ hasText: 'As JSON' }).click()
      const json = page.getByRole('textbox', { name: 'As JSON' })
      const half = '{ "half": '
      await json.fill(half)
      const stays = async () => expect(await json.innerText()).toBe(half)
      await page.getByText('1 unsaved change').first().waitFor()
      await page.getByRole('textbox', { name: 'Description' }).last().fill('Finds every order.')
      await page.getByText('2 unsaved changes').first().waitFor()
      await stays()
      const section = page.getByRole('button', { name: /^Tools/ })
      await section.click()
      await json.waitFor({ state: 'hidden' })
      await section.click()
      await stays()
      await page.getByRole('tab', { name: 'Playground' }).click()
      await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText('Nothing was saved: the text of “Tool orders: As JSON” is not valid yet').waitFor()
      await page.getByRole('tab', { name: 'Editor' }).click()
      await stays()
      await page.getByRole('radio', { name: 'JSON' }).click()
      await page.getByRole('radio', { name: 'Form' }).click()
      await stays()
      await json.fill(JSON.stringify({ ...tool, url: 'https://other.example/' }))
      await expect.poll(() => json.innerText()).toContain('Finds every order.')
      await page.keyboard.press('Control+s')
      await saved(page)
      // The previous notice also says "saved".
      await expect
        .poll(async () => propertyOf(await configOf(journey, agentId), 'tools'), { timeout: 20_000 })
        .toMatchObject([{ ...tool, description: 'Finds every order.', url: 'https://other.example/' }])
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'JSON that cannot be read yet is an unsaved change: it outlives a reload and a visit elsewhere, and is discarded with them',
    async () => {
      const agentId = await newAgent(journey, 'Oops')
      const { page, context } = await journey.open(
        await journey.person('member'),
        agentPath(journey, agentId, '?view=json'),
      )
      const json = page.getByRole('textbox', { name: 'Configuration' })
      await json.fill('{{oops')
      const isKept = async () => {
        await page.getByText('1 unsaved change').waitFor()
        await expect.poll(() => json.innerText()).toBe('{{oops')
      }
      await isKept()
      await page.reload()
      await isKept()
      await page.getByRole('link', { name: 'Agents', exact: true }).first().click()
      await page.waitForURL(/\/agents$/)
      await page.goBack()
      await isKept()
      await page.getByRole('radio', { name: 'Form' }).click()
      await page.getByText('The text of “Configuration” is not valid JSON yet').waitFor()
      await saveButton(page).click()
      await page.getByText('Nothing was saved: the text of “Configuration” is not valid yet').waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('{{oops')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await saveButton(page).waitFor({ state: 'detached' })
      await expect.poll(() => json.innerText()).not.toContain('oops')
      await page.reload()
      await json.waitFor()
      expect(await saveButton(page).count()).toBe(0)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'JSON that cannot be read yet stays with its tool when tools are moved and renamed, and is discarded alone',
    async () => {
      const tool = (name: string) => ({
        type: 'http',
        name,
        description: name,
        method: 'GET',
        url: 'https://a.example/',
      })
      const agentId = await newAgent(journey, 'Two', { tools: [tool('alpha'), tool('beta')] })
      const { page, context } = await journey.open(
        await journey.person('member'),
        agentPath(journey, agentId, '?open=tools'),
      )
      const json = page.getByRole('textbox', { name: 'As JSON' })
      const show = async (name: string) => {
        for (const part of [name, 'Limits and more', 'As JSON']) {
          await page.locator('summary:visible').filter({ hasText: part }).click()
        }
        await json.waitFor()
      }
      const move = async (name: string, way: string) => {
        await page.getByRole('button', { name: `Actions for ${name}` }).click()
        await page.getByRole('menuitem', { name: way }).click()
      }
      const note = (name: string) =>
        page.getByText(`The text of “Tool ${name}: As JSON” is not valid JSON yet`)
      await show('alpha')
      await json.fill('{ "of the first": ')
      await note('alpha').waitFor()
      await page.reload()
      await move('alpha', 'Move down')
      await show('beta')
      await json.fill('{ "of the second": ')
      await note('beta').waitFor()
      await note('alpha').waitFor()
      await page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('renamed')
      await note('renamed').waitFor()
      await page.reload()
      await move('renamed', 'Move down')
      await show('renamed')
      await expect.poll(() => json.innerText()).toBe('{ "of the second": ')

      await page.getByRole('button', { name: 'Discard this text: Tool alpha: As JSON' }).click()
      await note('alpha').waitFor({ state: 'detached' })
      await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).click()
      await note('alpha').waitFor()
      await page.getByRole('button', { name: 'Discard this text: Tool renamed: As JSON' }).click()
      await expect.poll(() => json.innerText()).toContain('"renamed"')
      expect(await page.evaluate("document.activeElement.closest('[data-save-bar]') !== null")).toBe(true)
      await context.close()
    },
    PATIENCE_MS,
  )

  test(
    'keys that no form knows are kept by a save, shown under Advanced, and in the JSON',
    async () => {
      const agentId = await newAgent(journey, 'Unknown', { later: { mode: 'x' } })
      const { page, context } = await journey.open(
        await journey.person('member'),
        agentPath(journey, agentId, '?open=advanced'),
      )
      await page.getByText('later', { exact: true }).waitFor()
      await page.getByRole('textbox', { name: 'Name' }).fill('Known')
      await page.keyboard.press('Control+s')
      await saved(page)
      expect(propertyOf(await configOf(journey, agentId), 'later')).toEqual({ mode: 'x' })
      await page.getByRole('radio', { name: 'JSON' }).click()
      const json = page.getByRole('textbox', { name: 'Configuration' })
      const whole: unknown = JSON.parse(
        await call(`GET /api/v1/agents/${agentId}`).then((a) => JSON.stringify(a.body)),
      )
      const config = { ...Object(propertyOf(whole, 'config')), later: { mode: 'y' } }
      await json.fill(JSON.stringify(config))
      await page.getByText('1 unsaved change').first().waitFor()
      await page.keyboard.press('Control+s')
      await expect.poll(() => configOf(journey, agentId)).toEqual(config)
      await context.close()
    },
    PATIENCE_MS,
  )
})

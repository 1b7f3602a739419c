import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { propertyOf } from '@troupe/contract'
import { freePort } from '@troupe/test-kit/free-port'
import type { RecordedRequest } from '@troupe/test-kit/model-server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './journey.ts'
import { PATIENCE_MS, press, RIGHT_KEY, type SettingsJourney, startSettings } from './settings-journey.ts'

const INSTRUCTIONS = 'You answer questions about the opening hours of a shop.'

describe.skipIf(CHROMIUM === null)('a provider of one’s own', () => {
  let setting: SettingsJourney
  beforeAll(async () => {
    setting = await startSettings(await freePort())
    // Echoes its question, so that each answer can be assigned to it.
    setting.models.respond(({ headers, body }) =>
      headers.authorization === `Bearer ${RIGHT_KEY}`
        ? `${body.model} heard: ${textOf(body.messages?.at(-1)?.content)}`
        : { status: 401 },
    )
  }, 180_000)
  afterAll(() => setting?.[Symbol.asyncDispose]())

  test(
    'a wrong key is named with its fix, models are found, and an agent on them answers in the playground and to its curl',
    async () => {
      const { journey, models, owner } = setting
      const { page, faults } = await journey.open(owner, `/o/${journey.slug}/settings/models/new`)

      await page.getByRole('link', { name: /OpenAI-compatible/ }).click()
      await page.getByRole('textbox', { name: 'Base URL' }).fill(models.url)
      const key = page.getByLabel(/^API key/)
      await key.fill('sk-a-wrong-key')
      await page.getByRole('textbox', { name: 'Add by id' }).fill('small-1')
      await page.keyboard.press('Enter')
      await press(page, 'Test the connection')
      const fix = page.getByText(/Check that the key is complete/)
      await fix.first().waitFor()
      expect(await key.getAttribute('aria-invalid')).toBe('true')

      await key.fill(RIGHT_KEY)
      expect(await fix.count()).toBe(0)
      await press(page, 'Find models')
      await page.getByRole('checkbox', { name: /large-1/ }).press('Space')
      await press(page, 'Add 1 model')
      await press(page, 'Test the connection')
      await page.getByText('small-1 answered').waitFor()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My models')
      await page.getByRole('textbox', { name: 'Slug' }).fill('mine')
      await press(page, 'Create LLM configuration')
      await page.getByText('“My models” is ready').waitFor()

      await page.goto(`${journey.url}/o/${journey.slug}/agents?create=1`)
      await page.getByRole('textbox', { name: 'Name' }).fill('Opening hours')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/agents\/[0-9a-f-]{36}$/)
      const agentUrl = page.url()
      await page.getByRole('textbox', { name: 'Instructions' }).fill(INSTRUCTIONS)
      await page
        .getByRole('button', { name: /LLM configuration/ })
        .first()
        .click()
      await page.getByRole('option', { name: /My models/ }).click()
      await page.getByRole('combobox', { name: 'Model', exact: true }).fill('large-1')
      await page.getByRole('option', { name: /large-1/ }).click()
      await press(page, /^Save/)
      await page.getByRole('region', { name: 'Notices' }).getByText('Saved').first().waitFor()
      await press(page, 'Activate')
      await page.getByText('The agent is active').waitFor()

      await page.getByRole('tab', { name: 'Playground' }).click()
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Open on Sunday?')
      await page.keyboard.press('Enter')
      const log = page.getByRole('log', { name: 'Playground' })
      await log.getByText('large-1 heard: Open on Sunday?').waitFor()
      await log.getByRole('link', { name: 'Trace' }).waitFor()
      expectAsked(models.requests.at(-1))

      // The page leads to the key that the program reads.
      await page.getByRole('tab', { name: 'Use' }).click()
      await page.getByRole('link', { name: 'Create an API key' }).click()
      const secret = await madeKey(page)
      await page.goto(`${agentUrl}?tab=use`)
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill("Who's there at 8?")
      const program = page.getByRole('region', { name: 'Program in curl' })
      await expect.poll(() => program.innerText()).toContain('there at 8?')
      const before = models.requests.length
      const { stdout } = await promisify(execFile)('sh', ['-c', await program.innerText()], {
        env: { ...process.env, TROUPE_API_KEY: secret },
      })
      expect(JSON.parse(stdout)).toMatchObject({
        success: true,
        content: "large-1 heard: Who's there at 8?",
      })
      expect(models.requests).toHaveLength(before + 1)
      expectAsked(models.requests.at(-1))
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

/** Makes a key in the dialog that is open, and returns its secret. */
async function madeKey(page: Page): Promise<string> {
  await page.getByRole('textbox', { name: 'Name' }).fill('Shell')
  await page.keyboard.press('Enter')
  const secret = (await page.getByRole('region', { name: 'Secret' }).innerText()).trim()
  await press(page, 'I have stored it')
  await page.getByRole('row', { name: /Shell/ }).waitFor()
  return secret
}

/** Fails unless the provider received the selected model, the key and the instructions of the agent. */
function expectAsked(request: RecordedRequest | undefined): void {
  expect(request?.headers.authorization).toBe(`Bearer ${RIGHT_KEY}`)
  expect(request?.body.model).toBe('large-1')
  expect(JSON.stringify(request?.body.messages)).toContain(INSTRUCTIONS)
}

/** The text of a message, which is a string or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part) => String(propertyOf(part, 'text') ?? '')).join('') : ''
}

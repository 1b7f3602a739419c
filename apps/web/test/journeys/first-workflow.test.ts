import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { ensureWebBuilt } from '@troupe/test-kit/ensure-web-built'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWindow, switchMouseOff } from '../browser.ts'
import { type LocalServer, startLocalServer } from '../local-server.ts'
import { tellOnFailure } from './tell-on-failure.ts'

const CHROMIUM = findChromium()
const PATIENCE_MS = 240_000

describe.skipIf(CHROMIUM === null)('the first workflow on a fresh server', () => {
  let server: LocalServer
  let browser: Browser
  beforeAll(async () => {
    ensureWebBuilt()
    server = await startLocalServer()
    browser = await startChromium(CHROMIUM ?? '')
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  test(
    'is built in the list by the keyboard alone: a webhook, two classes, an agent for each; published, its copied call runs it',
    async () => {
      const window = await openWindow(browser, 'light', 1_440)
      tellOnFailure(window)
      const { page, faults } = window
      await page.goto(server.startLink)
      await page.getByRole('button', { name: 'Open the Playground' }).press('Enter')
      await page.getByRole('link', { name: 'Workflows', exact: true }).first().press('Enter')
      await page.getByRole('button', { name: 'New workflow' }).first().waitFor()
      const startedMs = performance.now()
      await switchMouseOff(window)
      await page.keyboard.press('c')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Name' }).fill('First triage')
      await dialog.getByRole('radio', { name: /^HTTP Request/ }).press('Space')
      await dialog.getByRole('button', { name: 'Create workflow' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'First triage' }).waitFor()
      await page.getByRole('radio', { name: 'Steps' }).press('Enter')
      await page.getByRole('button', { name: 'More commands' }).waitFor()

      const steps = page.getByRole('treegrid', { name: 'Steps' })
      const row = (name: string) => steps.getByRole('row', { name: new RegExp(`^${name}(,|$)`) })
      const panel = page.getByRole('complementary')
      /** A step after a row, with its settings. */
      const add = async (
        after: string,
        output: string | null,
        type: string,
        fill: (panel: Locator) => Promise<void>,
      ) => {
        await row(after).focus()
        await page.keyboard.press('a')
        if (output !== null) {
          await page
            .getByRole('dialog', { name: /^Which output/ })
            .getByRole('searchbox')
            .fill(output)
          await page.keyboard.press('Enter')
          await page.getByRole('dialog', { name: 'Which step?' }).waitFor()
        }
        await dialog.getByRole('searchbox').fill(type)
        await page.keyboard.press('Enter')
        await panel.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
        await fill(panel)
        await panel.getByRole('button', { name: 'Close editor' }).press('Enter')
        await panel.getByRole('button', { name: 'Edit', exact: true }).waitFor()
      }
      await add('Call', null, 'Classify', async (editor) => {
        const text = editor.getByRole('textbox', { name: 'Text', exact: true })
        await text.pressSequentially('{{mess')
        await editor.getByRole('option', { name: /^trigger\.body\.message/ }).waitFor()
        await page.keyboard.press('Enter')
        expect(await text.inputValue()).toBe('{{ trigger.body.message }}')
        const classes = editor.getByRole('group', { name: 'Classes' })
        for (const [index, name] of ['Refund', 'Question'].entries()) {
          await classes.getByRole('button', { name: 'Add', exact: true }).press('Enter')
          await classes.getByRole('textbox', { name: 'Name', exact: true }).nth(index).fill(name)
          await page.keyboard.press('Tab')
        }
      })
      for (const [branch, agent] of [
        ['refund', 'Billing'],
        ['question', 'Assistant'],
      ] as const) {
        await add('Classify', branch, 'AI Agent', async (editor) => {
          await editor.getByRole('textbox', { name: 'Name of the step' }).fill(`Ask ${agent}`)
          await editor.getByRole('combobox', { name: 'Agent' }).fill(agent)
          await page.getByRole('option', { name: agent }).first().waitFor()
          await page.keyboard.press('ArrowDown')
          await page.keyboard.press('Enter')
          await editor
            .getByRole('textbox', { name: 'Message', exact: true })
            .fill('{{ trigger.body.message }}')
        })
      }
      await page.getByRole('link', { name: 'Review and publish' }).press('Enter')
      const publish = page.getByRole('button', { name: 'Publish version 1' })
      await expect.poll(() => publish.isEnabled(), { timeout: 20_000 }).toBe(true)
      await publish.press('Enter')
      await page.getByRole('heading', { name: 'The draft is published' }).waitFor()
      await page.getByRole('tab', { name: 'Triggers' }).press('Enter')
      await page.getByRole('button', { name: 'Show secret' }).press('Enter')
      await page.getByText('It includes the secret').waitFor()
      const command = await page.getByRole('region', { name: 'The call' }).first().innerText()
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { timeout: 30_000 })
      expect(stdout).toMatch(/"executionId":"[0-9a-f-]{36}"/)
      console.log(`The first workflow by keyboard: ${Math.round((performance.now() - startedMs) / 1_000)} s`)

      await page.getByRole('tab', { name: 'Runs' }).press('Enter')
      const runs = page.getByRole('table', { name: 'Last runs' })
      await runs.getByText('Completed').first().waitFor()
      await runs.getByRole('link').first().press('Enter')
      await page
        .getByRole('row', { name: /Ask (Billing|Assistant)/ })
        .first()
        .waitFor()
      expect(faults).toEqual([])
    },
    PATIENCE_MS,
  )
})

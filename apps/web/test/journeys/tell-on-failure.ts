import { onTestFailed, TestRunner } from 'vitest'
import type { BrowserWindow } from '../browser.ts'

/** The page's text is cut here. */
const MOST_TEXT = 2_000

/**
 * Prints the content of a window, and its failed requests, when the test fails. A journey that fails once in many runs is explained
 * by its first failure. Windows opened outside a test print nothing.
 */
export function tellOnFailure({ page, faults }: BrowserWindow): void {
  if (TestRunner.getCurrentTest() === undefined) return
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400)
      refused.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  page.on('requestfailed', (request) => {
    refused.push(`${request.failure()?.errorText} ${request.method()} ${request.url()}`)
  })
  onTestFailed(async () => {
    if (page.isClosed()) return
    const text = await page
      .locator('body')
      .innerText({ timeout: 5_000 })
      .catch((error: unknown) => `unreadable: ${error}`)
    const shown = { page: page.url(), text: text.slice(0, MOST_TEXT), refused, faults }
    process.stderr.write(`What the window of the failed test shows: ${JSON.stringify(shown, null, 2)}\n`)
  })
}

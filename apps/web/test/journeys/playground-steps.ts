import type { Locator, Page } from 'playwright-core'

/** Sends a message. */
export async function ask(page: Page, message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(message)
  await page.keyboard.press('Enter')
}

/** The conversations that are shown. */
export const log = (page: Page): Locator => page.getByRole('log', { name: 'Playground' })

/** One link for each answer that has ended. */
export const traces = (page: Page): Locator => log(page).getByRole('link', { name: 'Trace' })

/** Waits for this number of answers. */
export async function answered(page: Page, times: number): Promise<void> {
  await traces(page)
    .nth(times - 1)
    .waitFor()
}

/** Chooses an item of the menu that a button opens. */
export async function choose(page: Page, button: Locator, item: string | RegExp): Promise<void> {
  await button.click()
  await page.getByRole('menuitem', { name: item }).click()
}

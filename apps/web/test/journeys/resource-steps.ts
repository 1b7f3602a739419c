import type { Page } from 'playwright-core'

/** A field by its whole label. */
export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

/** Presses the first button of this name. */
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click()

/** Replaces the text of the first editor as a person does: a script that fills it copies styles, which the policy reports. */
export async function rewrite(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').first().click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

/** Chooses an action of a thing from its menu. */
export async function chooseAction(page: Page, thing: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${thing}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Journey } from './journey.ts'

/** Offers the seeded agent as a tool of the server's own MCP server. */
export async function expose({ server }: Journey, description: string): Promise<void> {
  const answer = await server.call(`PUT /api/v1/agents/${server.seed.agents.organization}`, {
    body: { name: 'Order desk', description, config: { expose: 'mcp' } },
  })
  expect(answer.status).toBe(200)
}

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

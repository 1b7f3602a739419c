import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectGood, type Journey } from './journey.ts'

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

/**
 * Replaces the text of the first editor as a user does: a script that fills it copies styles, which the policy reports.
 */
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

/** Opens pages as an owner, one after the other, and fails if one has faults at a width, in light and dark. */
export async function expectGoodPages(
  journey: Journey,
  paths: readonly string[],
  width: number,
): Promise<void> {
  const { url, slug } = journey
  const window = await journey.open(await journey.person('owner'), `/o/${slug}`, { width })
  const { page } = window
  for (const path of paths) {
    await page.goto(`${url}/o/${slug}/${path}`)
    await page.getByRole(path.includes('create') ? 'dialog' : 'main').waitFor()
    await page.waitForLoadState('networkidle')
    const name = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'one').replaceAll(/\W+/g, '-')
    await expectGood(window, `${name}-${width}`)
  }
}

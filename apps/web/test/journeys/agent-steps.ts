import { propertyOf } from '@troupe/contract'
import type { Page } from 'playwright-core'
import type { Journey } from './journey.ts'

/** Makes an agent as a program does, and returns its id. */
export async function newAgent({ server }: Journey, name: string, config: object = {}): Promise<string> {
  const made = await server.call('POST /api/v1/agents', { body: { name, config } })
  return String(propertyOf(made.body, 'agentId'))
}

export async function configOf({ server }: Journey, agentId: string): Promise<unknown> {
  return propertyOf((await server.call(`GET /api/v1/agents/${agentId}`)).body, 'config')
}

export const agentPath = ({ slug }: Journey, agentId: string, search = '') =>
  `/o/${slug}/agents/${agentId}${search}`

export const saveButton = (page: Page) => page.getByRole('button', { name: /^Save/ })

export const saved = (page: Page) =>
  page.getByRole('region', { name: 'Notices' }).getByText('Saved').first().waitFor()

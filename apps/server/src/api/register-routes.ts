import type { Context } from '../context.ts'
import type { App } from '../http/server-types.ts'
import { registerAgents } from './v1/agents.ts'
import { registerOrganizations } from './v1/organizations.ts'

/** Every route of the server. A new resource is one line here. */
export function registerRoutes(app: App, context: Context): void {
  registerOrganizations(app)
  registerAgents(app, context)
}

import type { OrganizationId } from '@troupe/contract'

/**
 * Port: told after a change of agents, LLM configurations, keys or limits was committed, before anybody is answered.
 * The next read of this process then sees the change. Other processes hear of it from the database, which signals
 * inside the transaction; that signal may reach this process too, later than the next request.
 */
export interface ConfigChanges {
  committed(organizationId: OrganizationId): void
}

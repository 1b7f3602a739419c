import type { OrganizationId } from '@troupe/contract'

/**
 * Port, called after a change to agents, LLM configurations, keys or limits commits and before the response, so this
 * process's next read sees it. Other processes get a database notification sent inside the transaction, which may also
 * reach this process, later than its next request.
 */
export interface ConfigChanges {
  committed(organizationId: OrganizationId): void
}

import type { Clock } from '@troupe/agents/ports'
import { CachedAgentCatalog } from '@troupe/operations/catalog/cached-agent-catalog'
import type { SecretBox } from '@troupe/secrets'
import type { Database } from '@troupe/storage'
import type { Logger } from 'pino'

/** The configurations that runs read, cached in memory until a signal of their change. */
export function createCatalog(
  database: Database,
  secretBox: SecretBox,
  { clock, log }: { clock: Clock; log: Pick<Logger, 'error'> },
): CachedAgentCatalog {
  return new CachedAgentCatalog({
    source: {
      agent: (organizationId, id) => database.read.agents.byId(organizationId, id),
      agentVersion: (organizationId, id) => database.read.agents.versionById(organizationId, id),
      team: (organizationId, id) => database.read.teams.byId(organizationId, id),
      teamVersion: (organizationId, id) => database.read.teams.versionById(organizationId, id),
      llmConfigurations: (organizationId) =>
        database.read.llmConfigurations.visible({ organizationId, projectId: null }),
      budgets: (organizationId) => database.read.budgets.list(organizationId),
    },
    box: secretBox,
    signals: database.signals,
    clock,
    onUnreadable: (llmConfigId, err) => log.error({ llmConfigId, err }, 'credentials cannot be opened'),
  })
}

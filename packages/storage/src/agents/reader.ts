import { and, eq } from 'drizzle-orm'
import { storedReader } from '../runnables/stored-reader.ts'
import { STORED } from '../runnables/stored-tables.ts'
import { agents, agentVersions } from '../tables/configuration/agents.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import type { AgentReader } from './port.ts'

export function agentReader(db: Drizzle): AgentReader {
  return {
    ...storedReader(db, 'agent'),
    async versionById(organizationId, versionId) {
      const { id, name, description, config, configSchemaVersion } = agentVersions
      const [row] = await db
        .select({ ...STORED.agent.columns, versionId: id, name, description, config, configSchemaVersion })
        .from(agentVersions)
        .innerJoin(agents, eq(agents.id, agentVersions.agentId))
        .where(and(eq(agentVersions.organizationId, organizationId), eq(agentVersions.id, versionId)))
      return row ?? null
    },
  }
}

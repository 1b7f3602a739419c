import { and, asc, count, desc, eq, ne, type SQL } from 'drizzle-orm'
import { agents } from '../tables/configuration/agents.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { offsetOf, withTotal } from '../tables/drizzle/page.ts'
import { voiceConfigurations as configurations } from '../tables/voice/voice-configurations.ts'
import type { VoiceConfigurationReader, VoiceConfigurationRecord } from './port.ts'

export function voiceConfigurationReader(db: Drizzle): VoiceConfigurationReader {
  const those = async (where: SQL | undefined): Promise<VoiceConfigurationRecord[]> =>
    db.select().from(configurations).where(where).orderBy(asc(configurations.slug))
  return {
    list: (organizationId) => those(eq(configurations.organizationId, organizationId)),
    async byId(organizationId, id) {
      const found = and(eq(configurations.organizationId, organizationId), eq(configurations.id, id))
      return (await those(found))[0] ?? null
    },
    async byAgent(organizationId, agentId) {
      const found = and(
        eq(configurations.organizationId, organizationId),
        eq(configurations.agentId, agentId),
      )
      return (await those(found))[0] ?? null
    },
    async agents(scope, filter) {
      const projectId = scope.projectId ?? filter.projectId
      const where = and(
        eq(agents.organizationId, scope.organizationId),
        projectId === null ? undefined : eq(agents.projectId, projectId),
        ne(agents.status, 'archived'),
      )
      const isOfAgent = and(
        eq(configurations.organizationId, agents.organizationId),
        eq(configurations.agentId, agents.id),
      )
      const rows = await db
        .select({
          agentId: agents.id,
          name: agents.name,
          description: agents.description,
          projectId: agents.projectId,
          voiceConfigId: configurations.id,
          sttProvider: configurations.sttProvider,
          ttsProvider: configurations.ttsProvider,
        })
        .from(agents)
        .innerJoin(configurations, isOfAgent)
        .where(where)
        .orderBy(desc(agents.createdAt), desc(agents.id))
        .limit(filter.limit)
        .offset(offsetOf(filter))
      return withTotal(filter, rows, () =>
        db.select({ total: count() }).from(agents).innerJoin(configurations, isOfAgent).where(where),
      )
    },
  }
}

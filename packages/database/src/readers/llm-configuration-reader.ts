import type { CatalogModel } from '@troupe/agents/ports'
import type { LlmConfigId, OrganizationId, ProjectId, ProviderId } from '@troupe/contract'
import { and, asc, eq, isNull, or } from 'drizzle-orm'
import type { Readers } from '../database.ts'
import type { LlmConfigurationRecord } from '../records.ts'
import { llmConfigurations } from '../schema/llm-configurations.ts'
import type { Drizzle } from '../sql/drizzle.ts'

type Row = typeof llmConfigurations.$inferSelect

function toRecord(row: Row): LlmConfigurationRecord {
  return {
    ...row,
    id: row.id as LlmConfigId,
    organizationId: row.organizationId as OrganizationId,
    projectId: row.projectId as ProjectId | null,
    providerId: row.providerId as ProviderId,
    settings: row.settings as Record<string, unknown>,
    models: row.models as CatalogModel[],
  }
}

export function llmConfigurationReader(db: Drizzle): Readers['llmConfigurations'] {
  const oldest = [asc(llmConfigurations.createdAt), asc(llmConfigurations.id)]
  return {
    async visible({ organizationId, projectId }) {
      const rows = await db
        .select()
        .from(llmConfigurations)
        .where(
          and(
            eq(llmConfigurations.organizationId, organizationId),
            eq(llmConfigurations.status, 'connected'),
            projectId === null
              ? undefined
              : or(isNull(llmConfigurations.projectId), eq(llmConfigurations.projectId, projectId)),
          ),
        )
        .orderBy(...oldest)
      return rows.map(toRecord)
    },
    async list(organizationId) {
      const rows = await db
        .select()
        .from(llmConfigurations)
        .where(eq(llmConfigurations.organizationId, organizationId))
        .orderBy(...oldest)
      return rows.map(toRecord)
    },
  }
}

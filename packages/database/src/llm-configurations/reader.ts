import { llmConfigurations } from '@troupe/tables/configuration/llm-configurations'
import type { Drizzle } from '@troupe/tables/drizzle/drizzle'
import { and, asc, eq, isNull, or } from 'drizzle-orm'
import type { LlmConfigurationReader } from './port.ts'

export function llmConfigurationReader(db: Drizzle): LlmConfigurationReader {
  const oldest = [asc(llmConfigurations.createdAt), asc(llmConfigurations.id)]
  return {
    async visible({ organizationId, projectId }) {
      return db
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
    },
    async list(organizationId) {
      return db
        .select()
        .from(llmConfigurations)
        .where(eq(llmConfigurations.organizationId, organizationId))
        .orderBy(...oldest)
    },
  }
}

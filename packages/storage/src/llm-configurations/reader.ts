import { and, asc, eq, isNull, or } from 'drizzle-orm'
import { llmConfigurations } from '../tables/configuration/llm-configurations.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
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

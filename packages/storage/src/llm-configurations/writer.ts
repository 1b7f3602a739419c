import { and, eq, sql } from 'drizzle-orm'
import { llmConfigurations } from '../tables/configuration/llm-configurations.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import type { LlmConfigurationWriter, WrittenLlmConfiguration } from './port.ts'

function columnsOf({ id: _, organizationId: _organization, ...columns }: WrittenLlmConfiguration) {
  return columns
}

export function llmConfigurationWriter({ db, signal }: WriteContext): LlmConfigurationWriter {
  return {
    async insert(record) {
      const { id, organizationId } = record
      await db.insert(llmConfigurations).values({ id, organizationId, ...columnsOf(record) })
      signal({ kind: 'config_changed', organizationId })
    },
    async update(record) {
      const { id, organizationId } = record
      const rows = await db
        .update(llmConfigurations)
        .set({ ...columnsOf(record), version: sql`${llmConfigurations.version} + 1`, updatedAt: sql`now()` })
        .where(and(eq(llmConfigurations.organizationId, organizationId), eq(llmConfigurations.id, id)))
        .returning({ id: llmConfigurations.id })
      onlyRow(rows, `LLM configuration ${id} in this organization`)
      signal({ kind: 'config_changed', organizationId })
    },
    async delete(organizationId, id) {
      await db
        .delete(llmConfigurations)
        .where(and(eq(llmConfigurations.organizationId, organizationId), eq(llmConfigurations.id, id)))
      signal({ kind: 'config_changed', organizationId })
    },
  }
}

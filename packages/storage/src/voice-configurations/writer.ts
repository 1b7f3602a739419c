import { and, eq, sql } from 'drizzle-orm'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { voiceConfigurations as configurations } from '../tables/voice/voice-configurations.ts'
import type { VoiceConfigurationWriter } from './port.ts'

export function voiceConfigurationWriter({ db }: WriteContext): VoiceConfigurationWriter {
  return {
    async insert(record) {
      await db.insert(configurations).values(record)
    },
    async update({ id, organizationId, ...columns }) {
      const rows = await db
        .update(configurations)
        .set({ ...columns, version: sql`${configurations.version} + 1`, updatedAt: sql`now()` })
        .where(and(eq(configurations.organizationId, organizationId), eq(configurations.id, id)))
        .returning({ id: configurations.id })
      onlyRow(rows, `voice configuration ${id} in this organization`)
    },
    async delete(organizationId, id) {
      await db
        .delete(configurations)
        .where(and(eq(configurations.organizationId, organizationId), eq(configurations.id, id)))
    },
  }
}

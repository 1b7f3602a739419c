import { voiceReferences } from '@troupe/contract'
import { and, eq, sql } from 'drizzle-orm'
import { deleteReferences, writeReferences } from '../config-references/write-references.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { voiceConfigurations as configurations } from '../tables/voice/voice-configurations.ts'
import type { NewVoiceConfiguration, VoiceConfigurationWriter } from './port.ts'

export function voiceConfigurationWriter({ db }: WriteContext): VoiceConfigurationWriter {
  const refer = (record: NewVoiceConfiguration) =>
    writeReferences(db, { ...record, kind: 'voice_configuration' }, voiceReferences(record))
  return {
    async insert(record) {
      await db.insert(configurations).values(record)
      await refer(record)
    },
    async update(record) {
      const { id, organizationId, ...columns } = record
      const rows = await db
        .update(configurations)
        .set({ ...columns, version: sql`${configurations.version} + 1`, updatedAt: sql`now()` })
        .where(and(eq(configurations.organizationId, organizationId), eq(configurations.id, id)))
        .returning({ id: configurations.id })
      onlyRow(rows, `voice configuration ${id} in this organization`)
      await refer(record)
    },
    async delete(organizationId, id) {
      await deleteReferences(db, { organizationId, kind: 'voice_configuration', id })
      await db
        .delete(configurations)
        .where(and(eq(configurations.organizationId, organizationId), eq(configurations.id, id)))
    },
  }
}

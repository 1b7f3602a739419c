import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Writers } from '../database.ts'
import { agentColumns, toAgentRecord } from '../readers/agent-record.ts'
import type { Actor } from '../records.ts'
import { agents, agentVersions } from '../schema/agents.ts'
import { onlyRow, type WriteContext } from './write-context.ts'

type NewAgent = Parameters<Writers['agents']['insert']>[0]

function columnsOf(record: NewAgent) {
  const { projectId, slug, name, description, status, config, configSchemaVersion } = record
  return { projectId, slug, name, description, status, config, configSchemaVersion }
}

export function agentWriter({ db, signal }: WriteContext): Writers['agents'] {
  const snapshot = async (record: NewAgent, versionId: string, n: number, createdBy: Actor) => {
    const { organizationId, id: agentId, name, description, config, configSchemaVersion } = record
    await db.insert(agentVersions).values({
      id: versionId,
      organizationId,
      agentId,
      n,
      name,
      description,
      config,
      configSchemaVersion,
      createdByKind: createdBy.kind,
      createdById: createdBy.id,
    })
    signal({ kind: 'config_changed', organizationId })
  }
  return {
    async lock(organizationId, id) {
      const [row] = await db
        .select(agentColumns)
        .from(agents)
        .where(and(eq(agents.organizationId, organizationId), eq(agents.id, id)))
        .for('update')
      return row ? toAgentRecord(row) : null
    },
    async insert(record, createdBy) {
      const { id, organizationId } = record
      const versionId = randomUUID()
      const rows = await db
        .insert(agents)
        .values({ id, organizationId, versionId, versionNumber: 1, ...columnsOf(record) })
        .returning(agentColumns)
      await snapshot(record, versionId, 1, createdBy)
      return toAgentRecord(onlyRow(rows, 'new agent'))
    },
    async update(record, createdBy) {
      const { id, organizationId } = record
      const versionId = randomUUID()
      // Updating the row first also locks it, so that two updates never take the same version number.
      const rows = await db
        .update(agents)
        .set({
          ...columnsOf(record),
          versionId,
          versionNumber: sql`${agents.versionNumber} + 1`,
          updatedAt: sql`now()`,
        })
        .where(and(eq(agents.organizationId, organizationId), eq(agents.id, id)))
        .returning({ ...agentColumns, versionNumber: agents.versionNumber })
      const { versionNumber, ...row } = onlyRow(rows, `agent ${id} in this organization`)
      await snapshot(record, versionId, versionNumber, createdBy)
      return toAgentRecord(row)
    },
  }
}

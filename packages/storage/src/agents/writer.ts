import { type AgentVersionId, agentReferences } from '@troupe/contract'
import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../audit/port.ts'
import { writeReferences } from '../config-references/write-references.ts'
import { newId } from '../ids/new-id.ts'
import { agents, agentVersions } from '../tables/configuration/agents.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { agentColumns } from './columns.ts'
import type { AgentRecord, AgentWriter } from './port.ts'

type NewAgent = Parameters<AgentWriter['insert']>[0]

/** The columns that a save writes; the rest is of the row itself. */
function columnsOf({
  id: _,
  organizationId: _organization,
  versionId: _version,
  createdAt: _created,
  updatedAt: _updated,
  ...columns
}: NewAgent & Partial<AgentRecord>) {
  return columns
}

export function agentWriter({ db, signal }: WriteContext): AgentWriter {
  /** Writes the version and its references. */
  const snapshot = async (record: NewAgent, versionId: AgentVersionId, n: number, createdBy: Actor) => {
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
    await writeReferences(db, { organizationId, kind: 'agent', id: agentId }, agentReferences(config))
    signal({ kind: 'config_changed', organizationId })
  }
  return {
    async lock(organizationId, id) {
      const [row] = await db
        .select(agentColumns)
        .from(agents)
        .where(and(eq(agents.organizationId, organizationId), eq(agents.id, id)))
        .for('update')
      return row ?? null
    },
    async insert(record, createdBy) {
      const { id, organizationId } = record
      const versionId = newId<AgentVersionId>()
      const rows = await db
        .insert(agents)
        .values({ id, organizationId, versionId, versionNumber: 1, ...columnsOf(record) })
        .returning(agentColumns)
      await snapshot(record, versionId, 1, createdBy)
      return onlyRow(rows, 'new agent')
    },
    async setStatus(organizationId, id, status) {
      const rows = await db
        .update(agents)
        .set({ status, updatedAt: sql`now()` })
        .where(and(eq(agents.organizationId, organizationId), eq(agents.id, id)))
        .returning(agentColumns)
      signal({ kind: 'config_changed', organizationId })
      return onlyRow(rows, `agent ${id} in this organization`)
    },
    async update(record, createdBy) {
      const { id, organizationId } = record
      const versionId = newId<AgentVersionId>()
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
      return row
    },
  }
}

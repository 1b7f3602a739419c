import {
  AgentVersionId,
  type AnyVersionId,
  agentReferences,
  newId,
  TeamVersionId,
  teamReferences,
} from '@troupe/contract'
import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../audit/port.ts'
import { writeReferences } from '../config-references/write-references.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import type { AgentRecord, StoredWriter, TeamRecord, Unwritten } from './stored-port.ts'
import { STORED } from './stored-tables.ts'
import { writeVersion } from './write-version.ts'

type Stored = AgentRecord | TeamRecord

const VERSION_ID = { agent: AgentVersionId, team: TeamVersionId }
const REFERENCES = { agent: agentReferences, team: teamReferences }

/** The columns that a save writes; the others identify the row. */
function savedColumns({
  id: _,
  organizationId: _organization,
  versionId: _version,
  createdAt: _created,
  updatedAt: _updated,
  ...columns
}: Unwritten<Stored> & Partial<Pick<Stored, 'versionId' | 'createdAt' | 'updatedAt'>>) {
  return columns
}

/** Writes agents, or teams, by kind. */
export function storedWriter(context: WriteContext, kind: 'agent'): StoredWriter<AgentRecord>
export function storedWriter(context: WriteContext, kind: 'team'): StoredWriter<TeamRecord>
export function storedWriter(
  { db, client, signal }: WriteContext,
  kind: 'agent' | 'team',
): StoredWriter<Stored> {
  const { table, columns } = STORED[kind]

  /** Writes the version, and the references of the new current version. */
  const recordVersion = async (
    record: Unwritten<Stored>,
    versionId: AnyVersionId,
    n: number,
    createdBy: Actor,
  ) => {
    const { organizationId, id, config } = record
    await writeVersion(
      client,
      { kind, organizationId, id },
      { ...record, versionId, n, contentHash: null, createdBy },
    )
    await writeReferences(db, { organizationId, kind, id }, REFERENCES[kind]({ ...config }))
    signal({ kind: 'config_changed', organizationId })
  }

  return {
    async lock(organizationId, id) {
      const [row] = await db
        .select(columns)
        .from(table)
        .where(and(eq(table.organizationId, organizationId), eq(table.id, id)))
        .for('update')
      return row ?? null
    },
    async insert(record, createdBy) {
      const { id, organizationId } = record
      const versionId = newId(VERSION_ID[kind])
      const rows = await db
        .insert(table)
        .values({ id, organizationId, versionId, versionNumber: 1, ...savedColumns(record) })
        .returning(columns)
      await recordVersion(record, versionId, 1, createdBy)
      return onlyRow<Stored>(rows, `new ${kind}`)
    },
    async update(record, createdBy) {
      const { id, organizationId } = record
      const versionId = newId(VERSION_ID[kind])
      // Updating the row first also locks it, so that two updates never take the same version number.
      const rows = await db
        .update(table)
        .set({
          ...savedColumns(record),
          versionId,
          versionNumber: sql`${table.versionNumber} + 1`,
          updatedAt: sql`now()`,
        })
        .where(and(eq(table.organizationId, organizationId), eq(table.id, id)))
        .returning({ ...columns, versionNumber: table.versionNumber })
      const { versionNumber, ...row } = onlyRow<Stored & { versionNumber: number }>(
        rows,
        `${kind} ${id} in this organization`,
      )
      await recordVersion(record, versionId, versionNumber, createdBy)
      return row
    },
  }
}

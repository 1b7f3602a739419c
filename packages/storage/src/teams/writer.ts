import {
  agentsOfTeam,
  type OrganizationId,
  type TeamId,
  type TeamVersionId,
  teamReferences,
} from '@troupe/contract'
import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../audit/port.ts'
import { deleteReferences, writeReferences } from '../config-references/write-references.ts'
import { newId } from '../ids/new-id.ts'
import { teamAgents, teams, teamVersions } from '../tables/configuration/teams.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import { teamColumns } from './columns.ts'
import type { TeamWriter } from './port.ts'

type NewTeam = Parameters<TeamWriter['insert']>[0]

/** A column that is not named here does not compile. */
function columnsOf(record: NewTeam): Omit<NewTeam, 'id' | 'organizationId'> {
  const { projectId, slug, name, description, config, configSchemaVersion } = record
  return { projectId, slug, name, description, config, configSchemaVersion }
}

export function teamWriter({ db, signal }: WriteContext): TeamWriter {
  const identified = (organizationId: OrganizationId, id: TeamId) =>
    and(eq(teams.organizationId, organizationId), eq(teams.id, id))

  /** Writes the version snapshot, and the references of the new current version. */
  const recordVersion = async (record: NewTeam, versionId: TeamVersionId, n: number, createdBy: Actor) => {
    const { organizationId, id: teamId, name, description, config, configSchemaVersion } = record
    await db.insert(teamVersions).values({
      id: versionId,
      organizationId,
      teamId,
      n,
      name,
      description,
      config,
      configSchemaVersion,
      createdByKind: createdBy.kind,
      createdById: createdBy.id,
    })
    await writeReferences(db, { organizationId, kind: 'team', id: teamId }, teamReferences({ ...config }))
    await db.delete(teamAgents).where(eq(teamAgents.teamId, teamId))
    const agents = agentsOfTeam(config)
    if (agents.length > 0) {
      await db
        .insert(teamAgents)
        .values(agents.map(({ agentId, role }) => ({ organizationId, teamId, agentId, role })))
    }
    signal({ kind: 'config_changed', organizationId })
  }

  return {
    async lock(organizationId, id) {
      const [row] = await db
        .select(teamColumns)
        .from(teams)
        .where(identified(organizationId, id))
        .for('update')
      return row ?? null
    },
    async insert(record, createdBy) {
      const { id, organizationId } = record
      const versionId = newId<TeamVersionId>()
      const rows = await db
        .insert(teams)
        .values({ id, organizationId, versionId, versionNumber: 1, ...columnsOf(record) })
        .returning(teamColumns)
      await recordVersion(record, versionId, 1, createdBy)
      return onlyRow(rows, 'new team')
    },
    async update(record, createdBy) {
      const { id, organizationId } = record
      const versionId = newId<TeamVersionId>()
      // Updating the row first also locks it, so that two updates never take the same version number.
      const rows = await db
        .update(teams)
        .set({
          ...columnsOf(record),
          versionId,
          versionNumber: sql`${teams.versionNumber} + 1`,
          updatedAt: sql`now()`,
        })
        .where(identified(organizationId, id))
        .returning({ ...teamColumns, versionNumber: teams.versionNumber })
      const { versionNumber, ...row } = onlyRow(rows, `team ${id} in this organization`)
      await recordVersion(record, versionId, versionNumber, createdBy)
      return row
    },
    async delete(organizationId, id) {
      const rows = await db.delete(teams).where(identified(organizationId, id)).returning({ id: teams.id })
      onlyRow(rows, `team ${id} in this organization`)
      await deleteReferences(db, { organizationId, kind: 'team', id })
      signal({ kind: 'config_changed', organizationId })
    },
  }
}

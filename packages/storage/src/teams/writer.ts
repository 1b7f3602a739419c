import { agentsOfTeam } from '@troupe/contract'
import { and, eq } from 'drizzle-orm'
import { deleteReferences } from '../config-references/write-references.ts'
import type { TeamRecord } from '../runnables/stored-port.ts'
import { storedWriter } from '../runnables/stored-writer.ts'
import { teamAgents, teams } from '../tables/configuration/teams.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import type { TeamWriter } from './port.ts'

export function teamWriter(context: WriteContext): TeamWriter {
  const { db, signal } = context
  const stored = storedWriter(context, 'team')

  /** Writes the agents of the new current version. */
  const withAgents = async (team: TeamRecord) => {
    const { organizationId, id: teamId, config } = team
    await db.delete(teamAgents).where(eq(teamAgents.teamId, teamId))
    const agents = agentsOfTeam(config)
    if (agents.length > 0) {
      await db
        .insert(teamAgents)
        .values(agents.map(({ agentId, role }) => ({ organizationId, teamId, agentId, role })))
    }
    return team
  }

  return {
    lock: stored.lock,
    insert: async (record, createdBy) => withAgents(await stored.insert(record, createdBy)),
    update: async (record, createdBy) => withAgents(await stored.update(record, createdBy)),
    async delete(organizationId, id) {
      const rows = await db
        .delete(teams)
        .where(and(eq(teams.organizationId, organizationId), eq(teams.id, id)))
        .returning({ id: teams.id })
      onlyRow(rows, `team ${id} in this organization`)
      await deleteReferences(db, { organizationId, kind: 'team', id })
      signal({ kind: 'config_changed', organizationId })
    },
  }
}

import { and, eq, sql } from 'drizzle-orm'
import { STORED } from '../runnables/stored-tables.ts'
import { storedWriter } from '../runnables/stored-writer.ts'
import { agents } from '../tables/configuration/agents.ts'
import { onlyRow, type WriteContext } from '../tables/drizzle/write-context.ts'
import type { AgentWriter } from './port.ts'

export function agentWriter(context: WriteContext): AgentWriter {
  const { db, signal } = context
  return {
    ...storedWriter(context, 'agent'),
    async setStatus(organizationId, id, status) {
      const rows = await db
        .update(agents)
        .set({ status, updatedAt: sql`now()` })
        .where(and(eq(agents.organizationId, organizationId), eq(agents.id, id)))
        .returning(STORED.agent.columns)
      signal({ kind: 'config_changed', organizationId })
      return onlyRow(rows, `agent ${id} in this organization`)
    },
  }
}

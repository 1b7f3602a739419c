import type { AgentId, OrganizationId } from '@troupe/contract'
import { and, asc, eq, exists, ne, type SQL } from 'drizzle-orm'
import { agents } from '../tables/configuration/agents.ts'
import { configReferences } from '../tables/configuration/config-references.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'

const MOST_AGENTS = 10

/** The agents with a reference that satisfies `named`, without archived ones, oldest first, at most ten. */
export async function agentsNaming(
  db: Drizzle,
  organizationId: OrganizationId,
  named: SQL | undefined,
): Promise<{ id: AgentId; name: string }[]> {
  const reference = db
    .select({ path: configReferences.path })
    .from(configReferences)
    .where(
      and(
        eq(configReferences.organizationId, organizationId),
        eq(configReferences.ownerKind, 'agent'),
        eq(configReferences.ownerId, agents.id),
        named,
      ),
    )
  return db
    .select({ id: agents.id, name: agents.name })
    .from(agents)
    .where(and(eq(agents.organizationId, organizationId), ne(agents.status, 'archived'), exists(reference)))
    .orderBy(asc(agents.createdAt), asc(agents.id))
    .limit(MOST_AGENTS)
}

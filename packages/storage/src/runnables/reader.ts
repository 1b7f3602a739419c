import type { Scope } from '@troupe/agents/ports'
import { and, desc, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { agents } from '../tables/configuration/agents.ts'
import { teams } from '../tables/configuration/teams.ts'
import { workflowDeployments, workflows, workflowVersions } from '../tables/configuration/workflows.ts'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import type { RunnableReader } from './port.ts'

const MOST = 1_000

type Owned = typeof agents | typeof teams | typeof workflows

function within({ organizationId, projectId }: Scope, table: Owned): SQL | undefined {
  return and(
    eq(table.organizationId, organizationId),
    projectId === null ? undefined : eq(table.projectId, projectId),
  )
}

/** Matches the condition of the tables' partial indexes. */
const isExposed = (column: typeof agents.config | typeof teams.config | typeof workflowVersions.graph) =>
  sql`${column}->>'expose' = 'mcp'`

async function ofKind<const K, T extends object>(
  kind: K,
  rows: PromiseLike<T[]>,
): Promise<({ kind: K } & T)[]> {
  return (await rows).map((row) => ({ kind, ...row }))
}

export function runnableReader(db: Drizzle): RunnableReader {
  const read = <T extends Owned>(table: T) => ({
    id: table.id as T['id'],
    name: table.name as T['name'],
    description: table.description as T['description'],
    createdAt: table.createdAt as T['createdAt'],
  })
  const newest = (table: Owned) => [desc(table.createdAt), desc(table.id)]
  const someAgents = (scope: Scope, narrowed: SQL | undefined) =>
    ofKind(
      'agent',
      db
        .select(read(agents))
        .from(agents)
        .where(and(within(scope, agents), ne(agents.status, 'archived'), narrowed))
        .orderBy(...newest(agents))
        .limit(MOST),
    )
  const someTeams = (scope: Scope, narrowed: SQL | undefined) =>
    ofKind(
      'team',
      db
        .select(read(teams))
        .from(teams)
        .where(and(within(scope, teams), narrowed))
        .orderBy(...newest(teams))
        .limit(MOST),
    )

  return {
    async chats(scope, name) {
      const [ofAgents, ofTeams] = await Promise.all([
        someAgents(scope, name === null ? undefined : eq(agents.name, name)),
        someTeams(scope, name === null ? undefined : eq(teams.name, name)),
      ])
      return [...ofAgents, ...ofTeams]
    },
    async exposed(scope) {
      const [ofAgents, ofTeams, ofWorkflows] = await Promise.all([
        someAgents(scope, isExposed(agents.config)),
        someTeams(scope, isExposed(teams.config)),
        ofKind(
          'workflow',
          db
            .select({ ...read(workflows), versionId: workflowDeployments.versionId })
            .from(workflows)
            .innerJoin(workflowDeployments, eq(workflowDeployments.id, workflows.activeDeploymentId))
            .innerJoin(workflowVersions, eq(workflowVersions.id, workflowDeployments.versionId))
            .where(
              and(within(scope, workflows), isNull(workflows.deletedAt), isExposed(workflowVersions.graph)),
            )
            .orderBy(...newest(workflows))
            .limit(MOST),
        ),
      ])
      return [...ofAgents, ...ofTeams, ...ofWorkflows]
    },
  }
}

import type { RunnableKind, Scope } from '@troupe/agents/ports'
import { type Id, type ProjectId, parseId } from '@troupe/contract'
import { runnableForbidden, runnableNotFound } from '../errors/runnable-errors.ts'

/** Reads an agent or a team in any project of an organization. */
type ReadRunnable<R, K extends RunnableKind> = (
  organizationId: Scope['organizationId'],
  id: Id<K>,
) => Promise<R | null>

/**
 * The agent or team with the id in the path, if the scope may access it.
 *
 * @throws DomainError `agent_not_found` or `team_not_found`; `forbidden` if it is outside the project of a project scope
 */
export async function findRunnable<R extends { projectId: ProjectId | null }, K extends RunnableKind>(
  kind: K,
  read: ReadRunnable<R, K>,
  scope: Scope,
  id: string,
): Promise<R> {
  const parsed = parseId<K>({ kind }, id)
  const found = parsed && (await read(scope.organizationId, parsed))
  if (!found) throw runnableNotFound(kind)
  if (scope.projectId !== null && found.projectId !== scope.projectId) throw runnableForbidden(kind)
  return found
}

import type { Clock, RunnableKind } from '@troupe/agents/ports'
import { isUuid, type QueryOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { runnableNotFound } from '../errors/runnable-errors.ts'
import { type ListPage, pageOf } from '../handlers/list-page.ts'
import { overviewFilter } from '../versions/list-filter.ts'
import {
  PRESENT_DETAILS,
  PRESENT_SUMMARY,
  type PresentedDetails,
  type RunnableSummaries,
} from './present-runnable.ts'

/** Dependencies of reading agents and teams. */
export interface RunnableReads {
  database: Pick<Database, 'overviews'>
  clock: Clock
}

/** One page of agents or teams, in one statement. */
export async function listRunnables<K extends RunnableKind>(
  { database, clock }: RunnableReads,
  { organizationId }: BuilderCaller,
  kind: K,
  query: QueryOf<(typeof BUILDER_OPERATIONS)['listAgents']>,
): Promise<ListPage<RunnableSummaries[K]>> {
  const filter = overviewFilter(query)
  const found = await database.overviews.page(kind, organizationId, filter, new Date(clock.now()))
  return pageOf(filter, found, PRESENT_SUMMARY[kind])
}

/** The agent or team with the id; null if the organization has none. */
export async function findDetails<K extends RunnableKind>(
  { database, clock }: RunnableReads,
  { organizationId }: BuilderCaller,
  kind: K,
  id: string,
): Promise<PresentedDetails[K] | null> {
  if (!isUuid(id)) return null
  const found = await database.overviews.find(kind, organizationId, id, new Date(clock.now()))
  return found && PRESENT_DETAILS[kind](found)
}

/** @throws DomainError `agent_not_found` or `team_not_found` */
export async function getDetails<K extends RunnableKind>(
  parts: RunnableReads,
  caller: BuilderCaller,
  kind: K,
  id: string,
): Promise<PresentedDetails[K]> {
  const found = await findDetails(parts, caller, kind, id)
  if (!found) throw runnableNotFound(kind)
  return found
}

import type { QueryOf, ResultOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { runFilterOf } from './run-filter.ts'

type ListRunCauses = (typeof BUILDER_OPERATIONS)['listRunCauses']

/** Failures by cause, with the filters of the list. */
export async function listRunCauses(
  { observed }: { observed: Pick<Database['observed'], 'failureCauses'> },
  { organizationId }: BuilderCaller,
  query: QueryOf<ListRunCauses>,
): Promise<ResultOf<ListRunCauses>> {
  const { causes, ...found } = await observed.failureCauses(organizationId, runFilterOf(query))
  return {
    ...found,
    data: causes.map(({ entityId, entityName, lastAt, ...cause }) => ({
      ...cause,
      entity: { id: entityId, name: entityName },
      lastAt: Math.floor(lastAt / 1_000),
    })),
  }
}

import type { ResultOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'

const MOST_HITS = 20

/** The resources and runs of an organization with this name or id. */
export async function searchOrganization(
  { observed }: Pick<Database, 'observed'>,
  { organizationId }: BuilderCaller,
  text: string,
): Promise<ResultOf<(typeof BUILDER_OPERATIONS)['search']>> {
  const wanted = text.trim()
  return { data: wanted === '' ? [] : await observed.search(organizationId, wanted, MOST_HITS) }
}

import { invalidField, type QueryOf, type ResultOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { runFilterOf } from './run-filter.ts'

type RunHistogramOperation = (typeof BUILDER_OPERATIONS)['runHistogram']

const DAY_SECONDS = 24 * 60 * 60

/**
 * Runs over time with the filters of the list. `now` is in milliseconds since the epoch.
 *
 * @throws DomainError `validation_error` when `from` is not before `to`
 */
export async function countRunsOverTime(
  { observed }: Pick<Database, 'observed'>,
  { organizationId }: BuilderCaller,
  { buckets = 60, ...query }: QueryOf<RunHistogramOperation>,
  now: number,
): Promise<ResultOf<RunHistogramOperation>> {
  const to = query.to ?? Math.floor(now / 1000) + 1
  const from = query.from ?? to - DAY_SECONDS
  if (from >= to) {
    throw invalidField('from', 'must be before `to`')
  }
  const bucketSeconds = Math.max(1, Math.ceil((to - from) / buckets))
  const filter = { ...runFilterOf(query), from: from * 1000, to: to * 1000 }
  const found = await observed.histogram(organizationId, filter, bucketSeconds * 1000)
  return {
    ...{ from, to, bucketSeconds },
    countedFrom: found.countedFrom === null ? null : Math.floor(found.countedFrom / 1000),
    data: found.buckets.map(({ at, ...counts }) => ({ at: at / 1000, ...counts })),
  }
}

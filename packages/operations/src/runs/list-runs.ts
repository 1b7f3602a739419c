import type { QueryOf, ResultOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { presentRun } from './present-run.ts'
import { runFilterOf } from './run-filter.ts'
import { placeOfRun, presentRunPlace } from './run-place.ts'

type ListRuns = (typeof BUILDER_OPERATIONS)['listRuns']

/** One page of runs of every kind, newest first. @throws DomainError `validation_error` */
export async function listRuns(
  { observed }: { observed: Pick<Database['observed'], 'runs'> },
  { organizationId }: BuilderCaller,
  { after, limit = 20, ...query }: QueryOf<ListRuns>,
): Promise<ResultOf<ListRuns>> {
  const page = { after: placeOfRun(after), limit }
  const { rows, next } = await observed.runs(organizationId, runFilterOf(query), page)
  return { data: rows.map(presentRun), next: presentRunPlace(next) }
}

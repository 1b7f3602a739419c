import type { AnyRunId, IdText } from '@troupe/contract'
import type { ListedRun } from '@troupe/contract/builder'
import { useCallback, useMemo, useState } from 'react'
import { serverNow } from '../../../core/format/server-clock.ts'
import { type RunParams, runQuery } from '../../../core/runs/run-filter.ts'
import { isEnded } from '../../../core/runs/run-state.ts'
import { useChanges } from '../../../infrastructure/events/use-changes.ts'
import { useThrottled } from '../../../infrastructure/events/use-throttled.ts'
import {
  type AskedPages,
  useKeysetOperation,
  useOperation,
} from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

/** Rows per page: fast scrolling must not wait. */
const PAGE_ROWS = 500
/** The first rows load faster; they are refetched after a change, at most this often. */
const HEAD_ROWS = 100

export interface ShownRuns {
  /** The filter of the rows, which identifies their list. */
  filter: string
  query: ReturnType<typeof runQuery>
  pages: AskedPages<ListedRun>
  /** The loaded rows; those of active runs are updated. */
  rows: readonly ListedRun[] | undefined
  /** The number of new rows; `isMore`: at least this many. */
  newer: { count: number; isMore: boolean }
  showNewer(): void
  /** Applies the result of a change on this page: rows far down are not refetched. */
  note(runId: IdText<AnyRunId>, status: ListedRun['status']): void
}

const NOTHING_NOTED: ReadonlyMap<string, ListedRun['status']> = new Map()

const nowSeconds = () => Math.floor(serverNow() / 1_000)

/** Returning within this time restores the rows; new ones are counted, as always. */
const KEPT_SECONDS = 120
let loadedAt = 0

/** The end of the ranges of this visit, in Unix seconds. */
function visitedAt(): number {
  return nowSeconds() - loadedAt > KEPT_SECONDS ? renewed() : loadedAt
}

function renewed(): number {
  loadedAt = nowSeconds()
  return loadedAt
}

/** The results of a filter. Rows never move by themselves: new ones are counted. */
export function useRuns(params: RunParams): ShownRuns {
  const { projectId } = usePlace()
  // A range counts back from the time when the list was loaded, so that its query is constant, and restarts with every filter.
  const filter = JSON.stringify([params, projectId])
  const [asked, setAsked] = useState(() => ({ filter, now: visitedAt() }))
  if (asked.filter !== filter) setAsked({ filter, now: renewed() })
  const query = runQuery(params, projectId, asked.now)
  const pages = useKeysetOperation(
    'listRuns',
    { query: { ...query, limit: PAGE_ROWS } },
    { isSteady: true, firstLimit: HEAD_ROWS },
  )
  const isOld = useIsOld(JSON.stringify(query), pages)
  const head = useOperation(
    'listRuns',
    { query: { ...query, limit: HEAD_ROWS } },
    { isEnabled: isOld, isFresh: isOld },
  )
  const askHead = useThrottled(head.retry)
  useChanges(['runs'], askHead)
  const newest = head.isFormer ? undefined : head.data?.data
  const [noted, setNoted] = useState<ReadonlyMap<string, ListedRun['status']>>(NOTHING_NOTED)
  const rows = useMemo(
    () => pages.data && withNoted(withNewest(pages.data, newest ?? []), noted),
    [pages.data, newest, noted],
  )
  const note = useCallback(
    (runId: IdText<AnyRunId>, status: ListedRun['status']) =>
      setNoted((former) => new Map(former).set(runId, status)),
    [],
  )
  const count = useMemo(() => countNewer(pages.data, newest ?? []), [pages.data, newest])
  return {
    filter,
    query,
    pages,
    rows,
    newer: { count, isMore: count === HEAD_ROWS },
    note,
    showNewer: () => {
      setAsked({ filter, now: renewed() })
      setNoted(NOTHING_NOTED)
      pages.restart()
    },
  }
}

/** Whether the rows were cached before this request: then the newest ones are fetched. */
function useIsOld(question: string, { data, isFormer }: AskedPages<ListedRun>): boolean {
  const isThere = data !== undefined && !isFormer
  const [found, setFound] = useState({ question, isOld: isThere })
  if (found.question === question) return found.isOld
  setFound({ question, isOld: isThere })
  return isThere
}

/** The rows, with the current state of active ones. */
function withNewest(rows: readonly ListedRun[], newest: readonly ListedRun[]): readonly ListedRun[] {
  const known = new Map(newest.map((run) => [run.runId, run]))
  const newestOf = (run: ListedRun) => (isEnded(run.status) ? undefined : known.get(run.runId))
  return rows.some(newestOf) ? rows.map((run) => newestOf(run) ?? run) : rows
}

function withNoted(
  rows: readonly ListedRun[],
  noted: ReadonlyMap<string, ListedRun['status']>,
): readonly ListedRun[] {
  if (noted.size === 0) return rows
  return rows.map((run) => {
    const status = noted.get(run.runId)
    return status === undefined || isEnded(run.status) ? run : { ...run, status }
  })
}

function countNewer(rows: readonly ListedRun[] | undefined, newest: readonly ListedRun[]): number {
  if (rows === undefined) return 0
  const known = new Set(rows.slice(0, 2 * HEAD_ROWS).map(({ runId }) => runId))
  const first = rows[0]?.createdAt ?? 0
  return newest.filter(({ runId, createdAt }) => createdAt >= first && !known.has(runId)).length
}

import {
  type QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { IdText, OrganizationId } from '@troupe/contract'
import { useMemo, useRef, useState } from 'react'
import { asCallFailure, type CallFailure } from '../client/call-failure.ts'
import { callForReply, callOperation } from '../client/call-operation.ts'
import type { AnswerOf, AnyInput, InputOf, OperationName } from '../client/operation-types.ts'
import { useOrganizationId } from '../sign-in/organization-id.ts'
import { useSignedInAgain } from '../sign-in/use-signed-in-again.ts'
import { askAgain } from './ask-again.ts'
import { askLongListsAgain } from './ask-long-lists.ts'
import { type LastKnown, useLastKnown } from './last-known.ts'
import { formerAnswer } from './query-client.ts'
import { questionFailure } from './question-failure.ts'

/** A page's view of a query. */
export interface Asked<T> {
  /** The last response; undefined before the first one. */
  data: T | undefined
  /** The reason why the last request failed; an older response may exist beside it. */
  failure: CallFailure | null
  /** No response yet. */
  isLoading: boolean
  /** A request is pending. */
  isFetching: boolean
  /** `data` belongs to previous parameters, for example to the page before. */
  isFormer: boolean
  /** When `data` of an earlier visit was received, in milliseconds since the epoch; null: it is of this visit. */
  knownAt: number | null
  /** Refetches it, and everything else that has failed on the page. */
  retry(): void
}

/** The key of an operation's responses; `queryKey(name)` is a prefix of all of them. */
export function queryKey(
  name: OperationName,
  organizationId?: IdText<OrganizationId> | null,
  input?: AnyInput,
): readonly unknown[] {
  if (organizationId === undefined) return [name]
  return [name, organizationId, input?.params ?? {}, input?.query ?? {}]
}

interface AskSettings {
  /** False: no request yet. */
  isEnabled?: boolean
  /** Milliseconds between polls, for data without events. */
  everyMs?: number
  /** Refetch on mount: aggregates must be current. */
  isFresh?: boolean
  /** The data no longer changes, such as that of an ended run: one response is enough. */
  isFinal?: boolean
  /** False: the response for previous parameters is not shown while the next one loads. */
  keepsFormer?: boolean
}

/** Fetches a GET operation and keeps its response up to date. The organization is that of the page. */
export function useOperation<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  { isEnabled = true, everyMs, isFresh = false, isFinal = false, keepsFormer = true }: AskSettings = {},
): Asked<AnswerOf<Name>> {
  const organizationId = useOrganizationId()
  const cache = useQueryClient()
  const key = queryKey(name, organizationId, input)
  const keepAnswer = useRef<LastKnown['keep']>(() => undefined)
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const answer = await callOperation(name, organizationId, input, { signal })
      keepAnswer.current(answer)
      return answer
    },
    enabled: isEnabled,
    placeholderData: (former, formerQuery) =>
      keepsFormer ? formerAnswer(key, former, formerQuery) : undefined,
    ...(everyMs ? { refetchInterval: everyMs } : {}),
    ...(isFresh ? { staleTime: 0, gcTime: 0 } : {}),
    ...(isFinal ? { staleTime: 'static' } : {}),
  })
  const isMissing = query.data === undefined
  const { answer, keep } = useLastKnown(name, organizationId, input, isMissing && isEnabled)
  keepAnswer.current = keep
  const asked = askedOf(query, cache)
  if (!isMissing || answer === null) return isEnabled ? asked : { ...asked, isLoading: false }
  // Written by this page from a response of the same operation.
  return {
    ...asked,
    data: answer.data as AnswerOf<Name>,
    failure: query.error ? asked.failure : null,
    isLoading: false,
    knownAt: answer.at,
  }
}

/** A query of the cache, in the form used by pages. */
export function askedOf<T>(query: UseQueryResult<T>, cache: QueryClient): Asked<T> {
  const failure = questionFailure(query)
  return {
    data: query.data,
    failure,
    isLoading: query.isPending && failure === null,
    isFetching: query.isFetching,
    isFormer: query.isPlaceholderData,
    knownAt: null,
    retry: () => {
      void query.refetch()
      retryFailed(cache)
    },
  }
}

/** Refetches everything else that has failed on the page: several parts mostly fail for one reason, and one press repairs them. */
function retryFailed(cache: QueryClient): void {
  void cache.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error' && state.fetchStatus === 'idle',
  })
}

/** A list that grows: its pages one after the other. */
export interface AskedPages<Item> extends Asked<readonly Item[]> {
  hasMore: boolean
  /** The filled share of the last page, from 0 to 1: low if a rare filter makes the server search. */
  lastPageShare: number
  isLoadingMore: boolean
  loadMore(): void
  /** Restarts with the first page. */
  restart(): void
}

interface PagesSettings {
  /**
   * Loaded rows stay unchanged until `restart`: neither a change nor refocusing the window moves them, or refetches hundreds of
   * pages.
   */
  isSteady?: boolean
  /** Rows of the first page, where the screen needs fewer than the pages after it; those of `input` when absent. */
  firstLimit?: number
  /** Milliseconds between polls, for data without events. */
  everyMs?: number
  /** False: the rows of previous parameters are not shown while the next ones load. */
  keepsFormer?: boolean
}

type ItemOf<Name extends OperationName> =
  AnswerOf<Name> extends { data: readonly (infer Item)[] } ? Item : never

interface KeysetAnswer<Item> {
  data: readonly Item[]
  next: string | null
}

/** Fetches a keyset list page by page. `input` is without `after`. */
export function useKeysetOperation<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  { isSteady = false, firstLimit, everyMs, keepsFormer = true }: PagesSettings = {},
): AskedPages<ItemOf<Name>> {
  const organizationId = useOrganizationId()
  const cache = useQueryClient()
  const asked: AnyInput = input
  const key = [...queryKey(name, organizationId, input), 'pages']
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ signal, pageParam }) => {
      const page = {
        ...input,
        query: {
          ...asked.query,
          ...(pageParam === null ? (firstLimit ? { limit: firstLimit } : {}) : { after: pageParam }),
        },
      }
      const answer: unknown = await callOperation(name, organizationId, page, { signal })
      return answer as KeysetAnswer<ItemOf<Name>>
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (former, formerQuery) =>
      keepsFormer ? formerAnswer(key, former, formerQuery) : undefined,
    meta: { isSteady },
    ...(everyMs
      ? { refetchInterval: (asking: Parameters<typeof hasFewPages>[0]) => hasFewPages(asking) && everyMs }
      : {}),
    // A disabled query is not refetched by itself, but still continues.
    ...(isSteady
      ? { staleTime: Number.POSITIVE_INFINITY, structuralSharing: false, enabled: hasNoAnswer }
      : everyMs
        ? {}
        : { enabled: hasFewPages }),
  })
  const pages = query.data?.pages
  const limitOf = (count: number) => Number((count <= 1 && firstLimit) || (asked.query?.limit ?? USUAL_LIMIT))
  const data = useMemo(() => pages?.flatMap((page) => page.data), [pages])
  const failure = questionFailure(query)
  return {
    data,
    failure,
    isLoading: query.isPending && failure === null,
    isFetching: query.isFetching,
    isFormer: query.isPlaceholderData,
    knownAt: null,
    lastPageShare: (pages?.at(-1)?.data.length ?? 0) / limitOf(pages?.length ?? 0),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => {
      void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())
      retryFailed(cache)
    },
    restart: () => void cache.resetQueries({ queryKey: key, exact: true }),
  }
}

/** Rows per page, if the request names no other number. */
const USUAL_LIMIT = 20

/** All loaded pages are refetched one after the other: beyond this number, a list stays unchanged until it is reopened. */
const FEW_PAGES = 5

const hasFewPages = ({ state }: { state: { data: { pages: readonly unknown[] } | undefined } }) =>
  (state.data?.pages.length ?? 0) <= FEW_PAGES

const hasNoAnswer = ({ state }: { state: { data: unknown } }) => state.data === undefined

/** A page's view of a mutation. */
export interface OperationChange<Name extends OperationName> {
  /**
   * Sends it; null if it failed, and then `failure` has the reason. The response of a deletion is null itself. `status` is that of
   * HTTP, for operations that distinguish results by it.
   */
  run(
    input: InputOf<Name>,
    /** For a user who has left the place where `failure` is shown. */
    onFailure?: (failure: CallFailure) => void,
  ): Promise<{ answer: AnswerOf<Name>; status: number } | null>
  failure: CallFailure | null
  isPending: boolean
  reset(): void
}

const IDLE = { failure: null, isPending: false }

/**
 * Sends a mutation. The named operations are refetched afterwards, before `run` resolves; lists of many pages continue after it.
 * Neither input nor response is cached, because both can be secrets.
 */
export function useChange<Name extends OperationName>(
  name: Name,
  { refreshes = [] }: { refreshes?: readonly OperationName[] } = {},
): OperationChange<Name> {
  const organizationId = useOrganizationId()
  const cache = useQueryClient()
  const [state, setState] = useState<Pick<OperationChange<Name>, 'failure' | 'isPending'>>(IDLE)
  const latest = useRef(0)
  const run: OperationChange<Name>['run'] = async (input, onFailure) => {
    latest.current += 1
    const own = latest.current
    // Of several calls at once, the last one is shown.
    const show = (next: typeof state) => own === latest.current && setState(next)
    show({ failure: null, isPending: true })
    try {
      const reply = await callForReply(name, organizationId, input)
      await askAgain(cache, ({ queryKey: [asked] }) => refreshes.some((one) => one === asked))
      for (const one of refreshes) askLongListsAgain(cache, queryKey(one))
      show(IDLE)
      return reply
    } catch (error) {
      const failure = asCallFailure(error)
      show({ failure, isPending: false })
      onFailure?.(failure)
      return null
    }
  }
  // "Please sign in first." is outdated after a sign-in.
  useSignedInAgain(() => setState((now) => (now.failure?.code === 'unauthorized' ? IDLE : now)))
  const reset = () => {
    latest.current += 1
    setState(IDLE)
  }
  return { ...state, run, reset }
}

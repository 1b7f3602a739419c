import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { asCallFailure, type CallFailure } from '../client/call-failure.ts'
import { callOperation } from '../client/call-operation.ts'
import type { AnswerOf, AnyInput, InputOf, OperationName } from '../client/operation-types.ts'
import { useOrganizationId } from '../session/organization-id.ts'

/** What a page sees of a question to the server. */
export interface Asked<T> {
  /** The last answer; undefined before the first one. */
  data: T | undefined
  /** Why the last question failed; a former answer may be there beside it. */
  failure: CallFailure | null
  /** No answer yet. */
  isLoading: boolean
  /** A question is under way. */
  isFetching: boolean
  /** `data` belongs to former parameters, for example to the page before. */
  isFormer: boolean
  retry(): void
}

/** The key of an operation's answers; `queryKey(name)` is a prefix of all of them. */
export function queryKey(
  name: OperationName,
  organizationId?: string | null,
  input?: AnyInput,
): readonly unknown[] {
  if (organizationId === undefined) return [name]
  return [name, organizationId, input?.params ?? {}, input?.query ?? {}]
}

interface AskSettings {
  /** False: do not ask yet. */
  isEnabled?: boolean
  /** Milliseconds between questions, for what no event reports. */
  everyMs?: number
}

/** Asks the server with a GET operation and keeps the answer up to date. The organization is that of the page. */
export function useOperation<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  { isEnabled = true, everyMs }: AskSettings = {},
): Asked<AnswerOf<Name>> {
  const organizationId = useOrganizationId()
  const query = useQuery({
    queryKey: queryKey(name, organizationId, input),
    queryFn: ({ signal }) => callOperation(name, organizationId, input, { signal }),
    enabled: isEnabled,
    ...(everyMs ? { refetchInterval: everyMs } : {}),
  })
  return {
    data: query.data,
    failure: query.error ? asCallFailure(query.error) : null,
    isLoading: query.isPending && isEnabled,
    isFetching: query.isFetching,
    isFormer: query.isPlaceholderData,
    retry: () => void query.refetch(),
  }
}

/** A list that grows: its pages one after the other. */
export interface AskedPages<Item> extends Omit<Asked<readonly Item[]>, 'isFormer'> {
  hasMore: boolean
  isLoadingMore: boolean
  loadMore(): void
}

type ItemOf<Name extends OperationName> =
  AnswerOf<Name> extends { data: readonly (infer Item)[] } ? Item : never

interface KeysetAnswer<Item> {
  data: readonly Item[]
  next: string | null
}

/** Asks a keyset list page by page. `input` is without `after`. */
export function useKeysetOperation<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
): AskedPages<ItemOf<Name>> {
  const organizationId = useOrganizationId()
  const asked: AnyInput = input
  const query = useInfiniteQuery({
    queryKey: [...queryKey(name, organizationId, input), 'pages'],
    queryFn: async ({ signal, pageParam }) => {
      const page = {
        ...input,
        query: { ...asked.query, ...(pageParam === null ? {} : { after: pageParam }) },
      }
      const answer: unknown = await callOperation(name, organizationId, page, { signal })
      return answer as KeysetAnswer<ItemOf<Name>>
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })
  return {
    data: query.data?.pages.flatMap((page) => page.data),
    failure: query.error ? asCallFailure(query.error) : null,
    isLoading: query.isPending,
    isFetching: query.isFetching,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  }
}

/** What a page sees of a change. */
export interface OperationChange<Name extends OperationName> {
  /** Sends it; null when it failed, and then `failure` says why. The answer of a deletion is null itself. */
  run(input: InputOf<Name>): Promise<{ answer: AnswerOf<Name> } | null>
  failure: CallFailure | null
  isPending: boolean
  reset(): void
}

/** Changes something. What the named operations answered is asked again afterwards, before `run` resolves. */
export function useChange<Name extends OperationName>(
  name: Name,
  { refreshes = [] }: { refreshes?: readonly OperationName[] } = {},
): OperationChange<Name> {
  const organizationId = useOrganizationId()
  const cache = useQueryClient()
  const mutation = useMutation({
    mutationFn: (input: InputOf<Name>) => callOperation(name, organizationId, input),
    onSuccess: () =>
      Promise.all(refreshes.map((one) => cache.invalidateQueries({ queryKey: queryKey(one) }))),
  })
  return {
    run: (input) =>
      mutation.mutateAsync(input).then(
        (answer) => ({ answer }),
        () => null,
      ),
    failure: mutation.error ? asCallFailure(mutation.error) : null,
    isPending: mutation.isPending,
    reset: mutation.reset,
  }
}

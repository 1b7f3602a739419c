import type { PageTurn } from '../../atoms/table/page-turner.tsx'
import { type LIST_PARAMS, listSort } from '../../core/url/list-params.ts'
import type { ValuesOf } from '../../core/url/search-params.ts'

type ListValues = ValuesOf<typeof LIST_PARAMS>
type SetListParams = (change: Partial<ListValues>, options?: { push?: boolean }) => void

/** Order and page of a list's table, which are search parameters of its page. A new order starts at the first page. */
export function turningOf({ sort, page }: Pick<ListValues, 'sort' | 'page'>, setParams: SetListParams) {
  return {
    sort,
    onSort: (pressed: string) => setParams({ sort: listSort(pressed), page: 1 }),
    page,
    onTurn: (next: number, turn: PageTurn) => setParams({ page: next }, turn),
  }
}

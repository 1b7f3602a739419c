import type { DataTableProps } from '../../atoms/table/data-table-props.ts'
import type { AskedPages } from '../../infrastructure/queries/use-operation.ts'

/** The loading state of a keyset list. */
export type LoadedPages = Pick<AskedPages<unknown>, 'hasMore' | 'isLoadingMore' | 'loadMore'>

/** The button below a keyset list's table that loads its next rows; nothing at the end of the list. */
export function olderRows(
  { hasMore, isLoadingMore, loadMore }: LoadedPages,
  label: string,
): Pick<DataTableProps<unknown>, 'more'> {
  return hasMore ? { more: { label, isPending: isLoadingMore, onLoad: loadMore } } : {}
}

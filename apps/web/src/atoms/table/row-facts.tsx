import { Facts } from '../layout/page.tsx'
import type { Column } from './columns.ts'

/** The values of a row's columns, including hidden ones; without the first one, its name. */
export function RowFacts<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return <Facts facts={columns.slice(1).map(({ title, cell }) => ({ name: title, value: cell(row) }))} />
}

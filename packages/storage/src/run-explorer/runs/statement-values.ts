import type { SqlValue } from '../../sql/client/sql-client.ts'

/** The values of a statement whose text depends on the caller's filters; each gets the next placeholder. */
export class StatementValues {
  readonly list: SqlValue[] = []

  add(value: SqlValue): string {
    this.list.push(value)
    return `$${this.list.length}`
  }
}

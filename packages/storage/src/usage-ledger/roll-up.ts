import { boolean } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import type { UsageStore } from './port.ts'

const ROLL_UP = statement('roll_up_usage', () => 'select roll_up_usage() as has_more').returning({
  has_more: boolean(),
})

export function rollUpUsage(client: SqlClient): UsageStore['rollUp'] {
  return async () => {
    for (;;) {
      const [row] = await client.query(...ROLL_UP({}))
      if (!row?.has_more) return
    }
  }
}

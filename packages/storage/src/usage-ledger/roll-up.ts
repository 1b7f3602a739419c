import type { SqlClient } from '../sql/client/sql-client.ts'
import type { UsageStore } from './port.ts'

const ROLL_UP = { name: 'roll_up_usage', text: 'select roll_up_usage() as has_more' }

export function rollUpUsage(client: SqlClient): UsageStore['rollUp'] {
  return async () => {
    for (;;) {
      const [row] = await client.query<{ has_more: boolean }>(ROLL_UP, [])
      if (!row?.has_more) return
    }
  }
}

import type { SqlClient, SqlValue, Statement } from './sql-client.ts'

/** Rows per statement, so that no sweep holds locks or grows a transaction for long. */
export const BATCH = 500

/**
 * Repeats a statement of at most {@link BATCH} rows until it finds no more. Its one row says how many it found (`rows`).
 * Returns these answers in order.
 */
export async function inBatches<Answer extends { rows: number }>(
  client: SqlClient,
  statement: Statement,
  values: readonly SqlValue[],
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (;;) {
    const [answer] = await client.query<Answer>(statement, values)
    if (answer) answers.push(answer)
    if (!answer || answer.rows < BATCH) return answers
  }
}

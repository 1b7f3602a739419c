import type { SqlClient, SqlValue, Statement } from './sql-client.ts'

/** Rows per statement, which bounds how long a sweep holds locks and how large its transaction grows. */
export const BATCH = 500

/**
 * Repeats a statement of at most {@link BATCH} rows until it finds fewer. Each run returns one row whose
 * `rows` is the number found; these rows are returned in order.
 */
export async function inBatches<Answer extends { rows: number }>(
  client: SqlClient,
  statement: Statement<Answer>,
  values: readonly SqlValue[],
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (;;) {
    const [answer] = await client.query(statement, values)
    if (answer) answers.push(answer)
    if (!answer || answer.rows < BATCH) return answers
  }
}

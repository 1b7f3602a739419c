import type { PGlite } from '@electric-sql/pglite'

const EVERY_MS = 60_000

/**
 * Checkpoints an embedded database once a minute while it is written to. It has no checkpointer process: its
 * log would grow by 3 KB per run without bound, and the next start would replay all of it (0.8 s after 20,000
 * runs). A checkpoint takes about 15 ms.
 */
export function keepCheckpoints(pglite: Pick<PGlite, 'query' | 'exec'>): Disposable {
  let last = ''
  const checkpoint = async () => {
    const { rows } = await pglite.query<{ at: string }>('select pg_current_wal_lsn()::text as at')
    const at = rows[0]?.at ?? ''
    if (at === last) return
    await pglite.exec('checkpoint')
    // The checkpoint itself writes to the log.
    const after = await pglite.query<{ at: string }>('select pg_current_wal_lsn()::text as at')
    last = after.rows[0]?.at ?? ''
  }
  // A failed checkpoint loses nothing: the log is kept, and the next one retries.
  const timer = setInterval(() => checkpoint().catch(() => {}), EVERY_MS).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

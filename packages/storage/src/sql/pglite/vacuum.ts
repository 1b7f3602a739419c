import type { PGlite } from '@electric-sql/pglite'

/** Maintenance that a PostgreSQL server does by itself, but the embedded database only on request. */
export interface Upkeep {
  /**
   * Vacuums the smallest table that needs it, if that reads at most `maxBytes`: other statements wait in the meantime, and
   * the log may grow by as much. Returns its name; null if there is none.
   */
  vacuum(maxBytes: number): Promise<string | null>
}

/**
 * Tables with more dead rows than a tenth of their live ones, and those of an earlier process, whose statistics are lost.
 * A vacuum reads the pages that are not marked all-visible, and everything beside the rows (indexes, TOAST).
 */
const DUE = `
select s.relname as name,
       (pg_relation_size(c.oid) - c.relallvisible * 8192::bigint)::float
         + (pg_total_relation_size(c.oid) - pg_relation_size(c.oid))::float as bytes
  from pg_stat_user_tables s
  join pg_class c on c.oid = s.relid
 where s.n_dead_tup > 50 + s.n_live_tup / 10
    or (s.last_vacuum is null and pg_relation_size(c.oid) > 256 * 1024)
 order by bytes`

/** Maintenance of a running PGlite. */
export function upkeepOf(pglite: Pick<PGlite, 'query'>): Upkeep {
  return {
    async vacuum(maxBytes) {
      // Otherwise, this session's statistics are only flushed some time after a transaction.
      await pglite.query('select pg_stat_force_next_flush()')
      const { rows } = await pglite.query<{ name: string; bytes: number }>(DUE)
      const [smallest] = rows
      if (!smallest || smallest.bytes > maxBytes) return null
      await pglite.query(`vacuum "${smallest.name}"`)
      return smallest.name
    },
  }
}

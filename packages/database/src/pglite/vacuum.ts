import type { PGlite } from '@electric-sql/pglite'

/** Upkeep that a PostgreSQL server does by itself and the embedded database must be asked for. */
export interface Upkeep {
  /**
   * Vacuums one table that needs it and whose vacuum should take at most `limitMs`: nothing else runs meanwhile. Returns
   * its name; null when there is none.
   */
  vacuum(limitMs: number): Promise<string | null>
}

/** Milliseconds for a megabyte that a vacuum reads: 2 to 15 were measured on a busy machine for tables of 1 to 30 MB. */
const MS_PER_MB = 15
const MB = 1024 * 1024

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

/** The upkeep of a running PGlite. */
export function upkeepOf(pglite: Pick<PGlite, 'query' | 'exec'>): Upkeep {
  return {
    async vacuum(limitMs) {
      // The statistics of this session are otherwise written some time after a transaction.
      await pglite.query('select pg_stat_force_next_flush()')
      const { rows } = await pglite.query<{ name: string; bytes: number }>(DUE)
      const [smallest] = rows
      if (!smallest || (smallest.bytes / MB) * MS_PER_MB > limitMs) return null
      await pglite.exec(`vacuum "${smallest.name}"`)
      return smallest.name
    },
  }
}

import { describe, expect, it } from 'vitest'
import { knownMigrations } from '../../src/known-migrations.ts'
import type { SqlDriver } from '../../src/sql/client/sql-client.ts'
import { migrate } from '../../src/sql/migrate/migrate.ts'

export function migrationsContract(driver: () => SqlDriver): void {
  describe('migrations', () => {
    it('are applied in order, once, all or none, and refuse a database of a newer program', async () => {
      const known = await knownMigrations()
      const second = {
        tag: '9998_b',
        sql: "create table b (n int);--> statement-breakpoint\ncreate table c as select current_setting('statement_timeout') as ms;",
      }
      const broken = { tag: '9999_d', sql: 'create table d (n int);--> statement-breakpoint\nnonsense;' }
      const tables = async () => {
        const [row] = await driver().execute("select to_regclass('b')::text, to_regclass('d')::text", [])
        return row
      }
      await expect(migrate(driver(), [...known, second, broken])).rejects.toThrow('nonsense')
      expect(await tables()).toEqual([null, null])
      await migrate(driver(), [...known, second])
      await migrate(driver(), [...known, second])
      expect(await tables()).toEqual(['b', null])
      expect(await driver().execute('select ms from c', []), 'a migration may take its time').toEqual([['0']])
      await expect(migrate(driver(), known)).rejects.toThrow(
        `This database was upgraded by a newer Troupe (to 9998_b; this program knows ${known.at(-1)?.tag}).`,
      )
      await expect(migrate(driver(), [...known, { ...second, tag: '9998_other' }])).rejects.toThrow(
        'The migrations of this database differ from those of this program',
      )
      await expect(migrate(driver(), [{ ...second, tag: '0000_first' }, ...known])).rejects.toThrow(
        'This database was made by an unreleased development version of Troupe',
      )
      await driver().script("drop table b, c; delete from troupe_migrations where tag = '9998_b'")
      await migrate(driver(), known)
    })
  })
}

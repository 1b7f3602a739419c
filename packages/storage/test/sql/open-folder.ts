import { randomUUID } from 'node:crypto'
import { migrate } from '../../src/sql/migrate/migrate.ts'
import { openEmbedded } from '../../src/sql/pglite/open-embedded.ts'
import { MIGRATIONS } from './small-schema.ts'

/**
 * Opens the data folder of the first argument with the image cache of the second, prints `ready`, then stores rows and
 * prints their ids until it is killed.
 */
const [directory = '', cache = ''] = process.argv.slice(2)
const { driver } = await openEmbedded({ directory, cache, migrations: MIGRATIONS, notice: () => {} })
await migrate(driver, MIGRATIONS)
process.stdout.write('ready\n')
for (;;) {
  const id = randomUUID()
  await driver.transaction((client) => client.execute('insert into things (id) values ($1)', [id]))
  process.stdout.write(`${id}\n`)
}

import { randomUUID } from 'node:crypto'
import { databaseOver } from '../src/open-pglite.ts'
import { lockFolder } from '../src/pglite/folder-lock.ts'
import { startPglite } from '../src/pglite/start-pglite.ts'

/**
 * Opens the data folder of the first argument with the image cache of the second, prints `ready`, then stores organizations
 * and prints their ids until it is killed.
 */
const [directory = '', cache = ''] = process.argv.slice(2)
const lock = lockFolder(directory)
const pglite = await startPglite({ directory, cache, notice: () => {} })
const database = await databaseOver(pglite, () => lock[Symbol.dispose]())
process.stdout.write('ready\n')
for (;;) {
  const id = randomUUID()
  await database.transaction(({ write }) =>
    write.organizations.put({ id: id as never, slug: id, name: 'x', rpm: 1, concurrentRuns: 1 }),
  )
  process.stdout.write(`${id}\n`)
}

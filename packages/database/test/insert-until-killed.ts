import { randomUUID } from 'node:crypto'
import { openDatabase } from '@troupe/database'

/** Puts organizations as fast as it can and prints the id of each that was committed, until it is killed. */
const database = await openDatabase({ kind: 'pglite', directory: process.argv[2] ?? '' })
for (;;) {
  const id = randomUUID()
  await database.transaction(({ write }) =>
    write.organizations.put({ id: id as never, slug: id, name: 'x'.repeat(500), rpm: 1, concurrentRuns: 1 }),
  )
  process.stdout.write(`${id}\n`)
}

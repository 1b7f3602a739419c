import { ApiKeyId, newId, OrganizationId } from '@troupe/contract'
import { openDatabase } from '../src/open-database.ts'
import { endOf, runOn, sessionOf } from './contract/run-builders.ts'

/**
 * Inserts organizations, and runs with the same ids, as fast as possible until it is killed. Prints an id once both
 * rows are committed.
 */
const database = await openDatabase({ kind: 'pglite', directory: process.argv[2] ?? '' })
for (;;) {
  const run = runOn({ apiKeyId: newId(ApiKeyId) }, sessionOf({ organizationId: newId(OrganizationId) }))
  const id = run.runId
  await database.transaction(({ write }) =>
    write.organizations.put({ id: id as never, slug: id, name: 'x'.repeat(500), rpm: 1, concurrentRuns: 1 }),
  )
  await database.runs.start(run)
  await database.runs.finish(endOf(run))
  process.stdout.write(`${id}\n`)
}

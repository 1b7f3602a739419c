import { ApiKeyId, newId, OrganizationId } from '@troupe/contract'
import { openDatabase } from '../src/open-database.ts'
import { endOf, runOn, sessionOf } from './contract/run-builders.ts'

/**
 * Puts organizations, and runs a run with the id of each, as fast as it can, and prints the id once both are committed,
 * until it is killed.
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

import { openDatabase } from '@troupe/storage'
import { openDriver } from '@troupe/storage/testing'
import { endWhenStuck } from '@troupe/telemetry/deadman'
import { newOrganization } from './new-organization.ts'

/** Stores an organization in the folder, then runs an endless statement over the same files. */
const directory = process.argv[2] ?? ''
{
  await using database = await openDatabase({ kind: 'pglite', directory })
  await database.transaction(({ write }) => write.organizations.put(newOrganization('before')))
}
const driver = await openDriver({ kind: 'pglite', directory })
setInterval(() => {}, 1_000)
await endWhenStuck(2).started
// The thread watches from the first heartbeat on.
await new Promise((resolve) => setTimeout(resolve, 1_000))
await driver.execute('select count(*) from (select generate_series(1, 1000000000000)) as numbers', [])

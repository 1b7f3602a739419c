import { prepareImage } from '@troupe/sql'
import { knownMigrations } from './known-migrations.ts'

/** Makes the image that new embedded databases are copied from, unless it exists or cannot be cached. */
export async function prepareEmbeddedDatabase(): Promise<void> {
  await prepareImage(await knownMigrations())
}

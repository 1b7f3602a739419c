import { knownMigrations } from '../../packages/storage/src/known-migrations.ts'
import { ensureImage, IMAGE_CACHE } from '../../packages/storage/src/sql/pglite/database-image.ts'

/** The image from which tests copy embedded databases, created before the first test file needs it. */
export async function setup(): Promise<void> {
  await ensureImage({ cache: IMAGE_CACHE, migrations: await knownMigrations(), notice: () => {} })
}

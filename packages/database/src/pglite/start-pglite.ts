import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { useBaselineCompiler } from './baseline-compiler.ts'
import { DamagedDatabaseError, requireOwnVersion } from './damaged-database-error.ts'
import { IMAGE_CACHE, type Notice, offersImage, withImage } from './database-image.ts'
import { ImageInMemory } from './image-in-memory.ts'
import { DRAFT, databaseFolder, fillNewFolder, isNewFolder } from './new-folder.ts'
import { SETTINGS } from './settings.ts'

export interface StartOptions {
  /** A data folder that exists and that this process has locked; null: in memory. */
  directory: string | null
  notice: Notice
  /** The cache folder for the image of a new database; only tests of the image itself change the default. */
  cache?: string
}

/**
 * Starts PGlite. A new database is a copy of the prepared image, so it already has the schema; one from an
 * earlier version must still be migrated.
 */
export async function startPglite(options: StartOptions): Promise<PGlite> {
  useBaselineCompiler()
  const { directory } = options
  if (directory === null) return startInMemory(options)
  if (isNewFolder(directory)) await fillFromImage(directory, options)
  const dataDir = databaseFolder(directory)
  requireOwnVersion(dataDir)
  // PGlite reports every failure in the same words, or as an abort of its code.
  return PGlite.create({ postgresqlconf: SETTINGS, dataDir }).catch((error: unknown) => {
    throw new DamagedDatabaseError(dataDir, error)
  })
}

/** Without a place to cache an image, PGlite creates the database itself. */
async function startInMemory({ notice, cache = IMAGE_CACHE }: StartOptions): Promise<PGlite> {
  if (!(await offersImage(cache))) return PGlite.create({ postgresqlconf: SETTINGS })
  return withImage(cache, notice, (image) =>
    PGlite.create({ postgresqlconf: SETTINGS, fs: new ImageInMemory(image) }),
  )
}

/** Without a place to cache an image, it is made in the data folder and removed once copied. */
async function fillFromImage(
  directory: string,
  { notice, cache = IMAGE_CACHE }: StartOptions,
): Promise<void> {
  const fill = (image: string) => fillNewFolder(directory, image)
  if (await offersImage(cache)) return withImage(cache, notice, fill)
  const ownCache = join(directory, `${DRAFT}image`)
  try {
    await withImage(ownCache, notice, fill)
  } finally {
    rmSync(ownCache, { recursive: true, force: true })
  }
}

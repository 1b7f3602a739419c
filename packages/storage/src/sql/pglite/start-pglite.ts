import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import type { Migration } from '../migrate/migrate.ts'
import { useBaselineCompiler } from './baseline-compiler.ts'
import { bufferPool } from './buffer-pool.ts'
import { DamagedDatabaseError, requireOwnVersion } from './damaged-database-error.ts'
import { IMAGE_CACHE, type Notice, offersImage, withImage } from './database-image.ts'
import { ImageInMemory } from './image-in-memory.ts'
import { DRAFT, databaseFolder, fillNewFolder, isNewFolder } from './new-folder.ts'
import { SETTINGS } from './settings.ts'

/**
 * The extensions that a database may create. Making their files available takes no measurable time or memory; only
 * `create extension` loads the code.
 */
const EXTENSIONS = { vector }

export interface StartOptions {
  /** A data folder that exists and that this process has locked; null: in memory. */
  directory: string | null
  notice: Notice
  /** The migrations of a new database, in order. */
  migrations: readonly Migration[]
  /** The cache folder for the image of a new database; only tests change the default. */
  cache?: string
}

/**
 * Starts PGlite. A new database is a copy of the image with these migrations; one from an earlier version must still be
 * migrated, and so must a new one in memory when no image can be cached.
 */
export async function startPglite(options: StartOptions): Promise<PGlite> {
  useBaselineCompiler()
  const { directory } = options
  if (directory === null) return startInMemory(options)
  if (isNewFolder(directory)) await fillFromImage(directory, options)
  const dataDir = databaseFolder(directory)
  requireOwnVersion(dataDir)
  // PGlite reports every failure in the same words, or as an abort of its code.
  const postgresqlconf = [...SETTINGS, bufferPool(dataDir)]
  return PGlite.create({ postgresqlconf, dataDir, extensions: EXTENSIONS }).catch((error: unknown) => {
    throw new DamagedDatabaseError(dataDir, error)
  })
}

/** Without a place to cache an image, PGlite creates the database itself. */
async function startInMemory({ cache = IMAGE_CACHE, ...options }: StartOptions): Promise<PGlite> {
  const image = { ...options, cache }
  if (!(await offersImage(image))) return PGlite.create({ postgresqlconf: SETTINGS, extensions: EXTENSIONS })
  return withImage(image, (folder) =>
    PGlite.create({
      postgresqlconf: SETTINGS,
      fs: new ImageInMemory(folder),
      extensions: EXTENSIONS,
    }),
  )
}

/** Without a place to cache an image, it is made in the data folder and removed once copied. */
async function fillFromImage(
  directory: string,
  { cache = IMAGE_CACHE, ...options }: StartOptions,
): Promise<void> {
  const fill = (image: string) => fillNewFolder(directory, image)
  const image = { ...options, cache }
  if (await offersImage(image)) return withImage(image, fill)
  const ownCache = join(directory, `${DRAFT}image`)
  try {
    await withImage({ ...image, cache: ownCache }, fill)
  } finally {
    rmSync(ownCache, { recursive: true, force: true })
  }
}

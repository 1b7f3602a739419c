import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { useBaselineCompiler } from './baseline-compiler.ts'
import { IMAGE_CACHE, type Notice, offersImage, withImage } from './database-image.ts'
import { ImageInMemory } from './image-in-memory.ts'
import { databaseFolder, fillNewFolder, isNewFolder } from './new-folder.ts'
import { SETTINGS } from './settings.ts'

export interface StartOptions {
  /** A data folder that exists and that this process has locked; null: in memory. */
  directory: string | null
  notice: Notice
  /** Where the image of a new database is kept; the default serves everything but tests of the image itself. */
  cache?: string
}

/**
 * Starts PGlite. A new database is a copy of the prepared image, so it has the schema already; one from an earlier version
 * has yet to be migrated.
 */
export async function startPglite(options: StartOptions): Promise<PGlite> {
  useBaselineCompiler()
  const { directory } = options
  if (directory === null) return startInMemory(options)
  if (isNewFolder(directory)) await fillFromImage(directory, options)
  return PGlite.create({ postgresqlconf: SETTINGS, dataDir: databaseFolder(directory) })
}

/** Where no image can be kept, PGlite makes the database itself. */
async function startInMemory({ notice, cache = IMAGE_CACHE }: StartOptions): Promise<PGlite> {
  if (!(await offersImage(cache))) return PGlite.create({ postgresqlconf: SETTINGS })
  return withImage(cache, notice, (image) =>
    PGlite.create({ postgresqlconf: SETTINGS, fs: new ImageInMemory(image) }),
  )
}

/** Where no image can be kept, it is made in the data folder and removed when it has been copied. */
async function fillFromImage(
  directory: string,
  { notice, cache = IMAGE_CACHE }: StartOptions,
): Promise<void> {
  const fill = (image: string) => fillNewFolder(directory, image)
  if (await offersImage(cache)) return withImage(cache, notice, fill)
  const ownCache = join(directory, 'image')
  await withImage(ownCache, notice, fill)
  rmSync(ownCache, { recursive: true, force: true })
}

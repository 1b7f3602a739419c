import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { type Migration, migrate } from '../migrate/migrate.ts'
import { useBaselineCompiler } from './baseline-compiler.ts'
import { isAlive } from './folder-lock.ts'
import { filesOf, sealImage } from './image-files.ts'
import { imagePath } from './image-key.ts'
import { pgliteDriver } from './pglite-driver.ts'
import { SETTINGS } from './settings.ts'

/** The templates of further databases are half of a cluster's files, and an embedded one has only this database. */
const WITHOUT_TEMPLATES = [
  'update pg_database set datistemplate = false where datistemplate',
  'drop database template0',
  'drop database template1',
]

/** Every new database copies the image, so its write-ahead log is small: a segment of the default size has 16 MB. */
const INITDB = ['--wal-segsize=1']
const SMALL_LOG = ['wal_recycle = off']

/**
 * Makes the image with these migrations in a cache folder, creating it if needed, and removes obsolete images and
 * drafts. The image appears complete or not at all; of two processes that make it concurrently, one wins.
 * Takes seconds and half a gigabyte of memory, so it must run in a separate process.
 */
export async function makeImage(cache: string, migrations: readonly Migration[]): Promise<void> {
  const image = await imagePath(cache, migrations)
  const draft = join(cache, `draft-${process.pid}-${randomUUID()}`)
  mkdirSync(filesOf(draft), { recursive: true })
  try {
    await makeDatabase(filesOf(draft), migrations)
    sealImage(draft)
    try {
      renameSync(draft, image)
    } catch (error) {
      // A folder that is not empty is never replaced: another process was first.
      if (!existsSync(image)) throw error
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  removeOthers(cache, image)
}

async function makeDatabase(directory: string, migrations: readonly Migration[]): Promise<void> {
  useBaselineCompiler()
  await using pglite = await PGlite.create({
    dataDir: directory,
    postgresqlconf: [...SETTINGS, ...SMALL_LOG],
    initDbStartParams: INITDB,
  })
  await migrate(pgliteDriver(pglite), migrations)
  for (const statement of WITHOUT_TEMPLATES) await pglite.exec(statement)
  await pglite.exec('checkpoint')
}

/** Removes the images of other versions, and the drafts of processes that were killed. */
function removeOthers(cache: string, image: string): void {
  for (const name of readdirSync(cache)) {
    const draftOf = /^draft-(\d+)-/.exec(name)?.[1]
    const isNeeded = draftOf ? isAlive(Number(draftOf)) : !name.startsWith('database-')
    const path = join(cache, name)
    if (path !== image && !isNeeded) rmSync(path, { recursive: true, force: true })
  }
}

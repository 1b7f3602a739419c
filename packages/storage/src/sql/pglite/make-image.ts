import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { takeFileLock } from '@troupe/file-locks'
import { type Migration, migrate } from '../migrate/migrate.ts'
import { useBaselineCompiler } from './baseline-compiler.ts'
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

const LOCK = 'image.lock'
/** Milliseconds; longer than it takes to make an image on any machine. */
const LONGEST_WAIT_MS = 300_000

/**
 * Makes the image with these migrations in a cache folder, creating it if needed, and removes obsolete images and
 * drafts. The image appears complete or not at all. Processes that make it concurrently, including in several containers with one cache,
 * take turns, and the later ones find it made. Takes seconds and half a gigabyte of memory, so it must run in a separate process.
 */
export async function makeImage(cache: string, migrations: readonly Migration[]): Promise<void> {
  const image = await imagePath(cache, migrations)
  mkdirSync(cache, { recursive: true })
  using lock = await takeFileLock(join(cache, LOCK), LONGEST_WAIT_MS)
  if (lock === null) throw new Error(`Another process has been making it in ${cache} for minutes.`)
  if (existsSync(image)) return
  const draft = join(cache, `draft-${randomUUID()}`)
  mkdirSync(filesOf(draft), { recursive: true })
  try {
    await makeDatabase(filesOf(draft), migrations)
    sealImage(draft)
    renameSync(draft, image)
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

/** Removes the images of other versions, and drafts: the owner of the lock has none, so they are left from killed processes. */
function removeOthers(cache: string, image: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (/^(draft|database)-/.test(name) && path !== image) rmSync(path, { recursive: true, force: true })
  }
}

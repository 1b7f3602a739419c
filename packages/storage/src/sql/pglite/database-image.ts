import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Migration } from '../migrate/migrate.ts'
import { DamagedImageError } from './image-files.ts'
import { imagePath } from './image-key.ts'

const MAKER = fileURLToPath(new URL('image-maker.ts', import.meta.url))

/** Next to the dependencies, so that `npm ci` removes this folder too. */
export const IMAGE_CACHE = fileURLToPath(
  new URL('../../../../../node_modules/.cache/troupe/', import.meta.url),
)

/** Called with an error message for the operator when a step takes time. */
export type Notice = (text: string) => void

/** The image and its location. */
export interface ImageOptions {
  /** The cache folder. */
  cache: string
  /** The migrations of the image's database, in order. */
  migrations: readonly Migration[]
  notice: Notice
}

/** Whether the cache folder can provide the image: it exists or can be made. */
export async function offersImage({
  cache,
  migrations,
}: Pick<ImageOptions, 'cache' | 'migrations'>): Promise<boolean> {
  if (existsSync(await imagePath(cache, migrations))) return true
  try {
    mkdirSync(cache, { recursive: true })
    accessSync(cache, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Calls `use` with the folder of the image: a new, migrated database (see image-files.ts). Makes the image first when
 * the cache has none. When `use` throws DamagedImageError, makes the image again and retries `use`.
 */
export async function withImage<T>(
  options: ImageOptions,
  use: (image: string) => T | Promise<T>,
): Promise<T> {
  const image = await ensureImage(options)
  try {
    return await use(image)
  } catch (error) {
    if (!(error instanceof DamagedImageError)) throw error
    discard(options.cache, image)
    return use(await ensureImage(options))
  }
}

/** Makes the image in the cache folder unless it exists; returns its folder. */
export async function ensureImage({ cache, migrations, notice }: ImageOptions): Promise<string> {
  const image = await imagePath(cache, migrations)
  if (!existsSync(image)) {
    notice('Preparing the embedded database for the first time: some seconds.')
    await runMaker(cache, migrations)
  }
  return image
}

/** Renamed away first, so that no other process sees a partly deleted image. */
function discard(cache: string, image: string): void {
  const away = join(cache, `draft-${randomUUID()}`)
  try {
    renameSync(image, away)
  } catch {
    // Another process has discarded it.
  }
  rmSync(away, { recursive: true, force: true })
}

async function runMaker(cache: string, migrations: readonly Migration[]): Promise<void> {
  const child = spawn(process.execPath, [MAKER, cache], { stdio: ['pipe', 'ignore', 'pipe'] })
  // A process that exits early closes its input; its exit code tells the reason.
  child.stdin.on('error', () => {}).end(JSON.stringify(migrations))
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4_000)
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...ending) => resolve(ending))
  })
  if (code === 0) return
  // A system without enough memory kills the process, which then prints nothing.
  throw new Error(`The image of the embedded database could not be made: ${output || signal}`)
}

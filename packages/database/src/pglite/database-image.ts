import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DamagedImageError } from './image-files.ts'
import { imagePath } from './image-key.ts'

const MAKER = fileURLToPath(new URL('image-maker.ts', import.meta.url))

/** Beside the dependencies: what `npm ci` removes, this folder goes with. */
export const IMAGE_CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/troupe/', import.meta.url))

/** Told in a sentence for people when something takes time. */
export type Notice = (text: string) => void

/** Whether an image can come from a cache folder: it is there already, or can be made. */
export async function offersImage(cache: string): Promise<boolean> {
  if (existsSync(await imagePath(cache))) return true
  try {
    mkdirSync(cache, { recursive: true })
    accessSync(cache, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Hands the folder of this program's image to `use`: a new, migrated database (see image-files.ts). It is made first when
 * the cache has none, and made anew when `use` throws DamagedImageError; then `use` runs again.
 */
export async function withImage<T>(
  cache: string,
  notice: Notice,
  use: (image: string) => T | Promise<T>,
): Promise<T> {
  const image = await ensureImage(cache, notice)
  try {
    return await use(image)
  } catch (error) {
    if (!(error instanceof DamagedImageError)) throw error
    discard(cache, image)
    return use(await ensureImage(cache, notice))
  }
}

/** Makes the image that new embedded databases are copied from, unless it is there or has no place. */
export async function prepareEmbeddedDatabase(): Promise<void> {
  if (await offersImage(IMAGE_CACHE)) await ensureImage(IMAGE_CACHE, () => {})
}

/** Makes the image of this program in a cache folder unless it is there; its folder. */
export async function ensureImage(cache: string, notice: Notice): Promise<string> {
  const image = await imagePath(cache)
  if (!existsSync(image)) {
    notice('Preparing the embedded database for the first time: some seconds.')
    await runMaker(cache)
  }
  return image
}

/** Moved away first, so that no other process sees half of it. */
function discard(cache: string, image: string): void {
  const away = join(cache, `draft-${process.pid}-${randomUUID()}`)
  try {
    renameSync(image, away)
  } catch {
    // Another process has discarded it.
  }
  rmSync(away, { recursive: true, force: true })
}

async function runMaker(cache: string): Promise<void> {
  const child = spawn(process.execPath, [MAKER, cache], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-4_000)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`The image of the embedded database could not be made: ${output}`)
}

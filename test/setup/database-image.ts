import { ensureImage, IMAGE_CACHE, offersImage } from '../../packages/database/src/pglite/database-image.ts'

/** The image that embedded databases of tests start from, made before the first test file needs it. */
export async function setup(): Promise<void> {
  if (await offersImage(IMAGE_CACHE))
    await ensureImage(IMAGE_CACHE, (text) => process.stderr.write(`${text}\n`))
}

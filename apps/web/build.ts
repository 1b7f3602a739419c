import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

/** 9 of 11: a tenth larger than 11 and many times faster. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
/** Smaller files gain nothing noticeable. */
const SMALLEST_BYTES = 512
/**
 * The number of files compressed concurrently. Each takes megabytes of memory, whatever its size; all of them
 * concurrently took half a gigabyte.
 */
const AT_ONCE = 2

/**
 * Builds the app into a folder inside `apps/web`, with `.br` and `.gz` beside every text file. Throws with the bundler's
 * message when the sources do not build.
 */
export async function buildWeb(outDir: string, mode: 'production' | 'gallery' = 'production'): Promise<void> {
  // Vite keeps an existing value, and a test runner sets another one, which selects React's slow development build.
  process.env.NODE_ENV = 'production'
  await build({
    root: import.meta.dirname,
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    mode,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  })
  const waiting = filesBelow(join(import.meta.dirname, outDir))
    .filter(isCompressible)
    .values()
  const compressNext = async () => {
    for (const path of waiting) await compress(path)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, compressNext))
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

function isCompressible(path: string): boolean {
  // The page itself differs for each response.
  return (
    /\.(js|css|svg|json|map)$/.test(path) && !path.endsWith('.html') && statSync(path).size >= SMALLEST_BYTES
  )
}

async function compress(path: string): Promise<void> {
  const bytes = readFileSync(path)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, BROTLI),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  writeFileSync(`${path}.br`, br)
  writeFileSync(`${path}.gz`, gz)
}

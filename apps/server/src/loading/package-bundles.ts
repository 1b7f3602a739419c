import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Beside the packages themselves, so that `npm ci` removes the bundles together with them. */
const MODULES = fileURLToPath(new URL('../../../../node_modules/', import.meta.url))
const CACHE = join(MODULES, '.cache', 'troupe')

/**
 * What the project imports of packages that consist of hundreds of small modules: 1,200 of the 2,700 modules that a
 * server loads. None of them keeps state that another package would have to share.
 */
const BUNDLED = [
  '@opentelemetry/api',
  'drizzle-orm',
  'drizzle-orm/pg-core',
  'drizzle-orm/pg-proxy',
  'markdown-it',
  'prom-client',
  'rate-limiter-flexible',
  'typebox',
  'typebox/compile',
  'typebox/error',
  'typebox/schema',
  'typebox/system',
  'undici',
  'yaml',
] as const

const fileName = (specifier: string) => `${specifier.replaceAll(/[@/]/g, '_')}.mjs`

/** A folder for exactly the installed versions: `npm install` may replace a package without removing the bundles. */
function folderOfVersions(): string {
  const require = createRequire(import.meta.url)
  const hash = createHash('sha256')
  const names = new Set(BUNDLED.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')))
  for (const name of names) {
    const { version } = require(join(MODULES, name, 'package.json'))
    hash.update(`${name}@${version}\n`)
  }
  return join(CACHE, `packages-${hash.digest('hex').slice(0, 16)}`)
}

/**
 * Writes one module for each of {@link BUNDLED}, with what they share in modules of their own. Two processes that do
 * so at once both succeed.
 *
 * @throws whatever esbuild reports; nothing is changed then
 */
export async function bundlePackages(): Promise<void> {
  const folder = folderOfVersions()
  if (existsSync(folder)) return
  const { build } = await import('esbuild')
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 'packages-new-'))
  try {
    const entries = await Promise.all(
      BUNDLED.map(async (specifier) => {
        const path = join(work, `entry-${fileName(specifier)}`)
        // Named one by one: `export *` would lose the names of a CommonJS module.
        const names = Object.keys(await import(specifier)).filter((name) => name !== 'module.exports')
        await writeFile(path, `export { ${names.join(', ')} } from '${specifier}'\n`)
        return { in: path, out: basename(fileName(specifier), '.mjs') }
      }),
    )
    await build({
      entryPoints: entries,
      outdir: join(work, 'out'),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
      // CommonJS modules inside the bundles require Node's own modules.
      banner: {
        js: "import { createRequire } from 'node:module';const require=createRequire(import.meta.url);",
      },
    })
    await rename(join(work, 'out'), folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** The bundles' addresses by specifier; empty when there are none for the installed versions. */
export function bundledPackages(): ReadonlyMap<string, string> {
  // Packages that lie elsewhere are found by Node, one module at a time.
  if (!existsSync(CACHE)) return new Map()
  const folder = folderOfVersions()
  if (!existsSync(folder)) return new Map()
  return new Map(
    BUNDLED.map((specifier) => [specifier, pathToFileURL(join(folder, fileName(specifier))).href]),
  )
}

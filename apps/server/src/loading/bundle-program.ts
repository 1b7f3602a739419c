import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { crc32 } from 'node:zlib'
import type { Plugin } from 'esbuild'
import { bundleInto } from './bundle-into.ts'
import { type BundledFile, bundledProgram, MANIFEST, type ProgramManifest, ROOT } from './program-bundle.ts'

const SERVER = fileURLToPath(new URL('..', import.meta.url))

/** The entry points of the program, and of its threads and child processes. */
const ENTRIES = ['start.ts', 'cli/command.ts', 'loading/load-program.ts']
const THREADS = [
  'packages/telemetry/src/deadman-thread.ts',
  'packages/bundles/src/read/bundle-process.ts',
  'packages/bundles/src/foreign/import-process.ts',
  'packages/tools/src/code/sandbox-thread.ts',
  'packages/tools/src/openapi/openapi-process.ts',
]

/** Packages that are not bundled: they are native, read files next to their code, or are large and loaded on demand. */
const OUTSIDE = [
  '@ai-sdk',
  '@electric-sql',
  '@jitl',
  '@modelcontextprotocol',
  '@node-rs',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/sdk-node',
  '@restatedev',
  'better-auth',
  'esbuild',
  'nodemailer',
  'pino',
]

/** In `node_modules`, so that `npm ci` deletes the bundles too. */
const CACHE = join(ROOT, dirname(MANIFEST))

/** Bundles of earlier programs are kept for a day: a running process loads parts of its bundle on demand. */
const KEPT_MS = 24 * 60 * 60 * 1_000

/**
 * Bundles the server's program with most of its packages, unless the current bundle is up to date. Concurrent calls of
 * two processes both succeed.
 *
 * @throws esbuild's errors, without any changes
 */
export async function bundleProgram(): Promise<void> {
  if (bundledProgram('start') !== null) return
  const folder = join(CACHE, `program-${randomUUID()}`)
  const inputs = await bundleInto(
    folder,
    [...ENTRIES.map((path) => join(SERVER, path)), ...THREADS.map((path) => join(ROOT, path))].map(
      (path) => ({
        in: path,
        out: outOf(path),
      }),
    ),
    { plugins: [keepUrls(folder), keepOutside] },
  )
  // The versions of packages: npm rewrites this file on every change of the dependencies.
  const own = inputs.filter((path) => !path.includes('node_modules'))
  const paths = [...own, join(ROOT, 'node_modules', '.package-lock.json')]
  const manifest: ProgramManifest = { root: ROOT, folder, inputs: paths.map(fileNow) }
  const draft = join(folder, 'program.json')
  await writeFile(draft, JSON.stringify(manifest))
  await rename(draft, join(ROOT, MANIFEST))
  await removeOld(folder)
}

function fileNow(path: string): BundledFile {
  const { size, mtimeMs } = statSync(path)
  return { path: relative(ROOT, path), size, mtimeMs, crc32: crc32(readFileSync(path)) }
}

async function removeOld(current: string): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const folder = join(CACHE, name)
    if (!name.startsWith('program-') || folder === current) continue
    const { mtimeMs } = await stat(folder)
    if (Date.now() - mtimeMs > KEPT_MS) await rm(folder, { recursive: true, force: true })
  }
}

/** The path of a source file in the bundle, without its extension. */
function outOf(path: string): string {
  const from = path.startsWith(SERVER) ? SERVER : ROOT
  return relative(from, path).slice(0, -extname(path).length)
}

/** Modules find files next to their sources, as without a bundle; only threads and child processes are resolved in the bundle. */
function keepUrls(folder: string): Plugin {
  const threads = new Set(THREADS.map((path) => join(ROOT, path)))
  const NEXT_TO_IT = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g
  const RESOLVED = /import\.meta\.resolve\('([^'\n]+)'\)/g
  return {
    name: 'keep-urls',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const resolved = new Map<string, string>()
        for (const [, specifier = ''] of text.matchAll(RESOLVED)) {
          const found = await build.resolve(specifier, {
            kind: 'import-statement',
            resolveDir: dirname(path),
          })
          if (found.errors.length > 0) return { errors: found.errors }
          resolved.set(
            specifier,
            found.path.startsWith('file:') ? found.path : pathToFileURL(found.path).href,
          )
        }
        const contents = text
          // A package may be installed in its importer's workspace only: Node would not resolve it from the bundle's folder.
          .replaceAll(RESOLVED, (_, specifier: string) => JSON.stringify(resolved.get(specifier)))
          .replaceAll(NEXT_TO_IT, (whole, name) => {
            const file = join(dirname(path), name)
            if (!threads.has(file)) return whole
            return `new URL(${JSON.stringify(pathToFileURL(join(folder, `${outOf(file)}.mjs`)).href)})`
          })
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        // Any other property would refer to the bundle's own file.
        const unknown = /import\.meta\.\w+/.exec(contents)?.[0]
        if (unknown !== undefined) return { errors: [{ text: `${path} uses ${unknown}` }] }
        return { contents, loader: 'ts' }
      })
    },
  }
}

/** Packages that are not bundled are imported by path: Node would not resolve all of them from the bundle. */
const keepOutside: Plugin = {
  name: 'keep-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      const isOutside = OUTSIDE.some((name) => path === name || path.startsWith(`${name}/`))
      if (pluginData === keepOutside || !isOutside) return null
      const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: keepOutside })
      if (found.errors.length > 0) return { path, external: true }
      const isRequired = kind === 'require-call' || kind === 'require-resolve'
      return { path: isRequired ? found.path : pathToFileURL(found.path).href, external: true }
    })
  },
}

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Copies what a program needs when it runs from a checkout with its dependencies into an empty folder. Its packages are found by the
 * lock file; what only compilers and readers of the code need is left out.
 *
 * node deploy/image/runtime.js FOLDER server|voice-worker
 */
const [target = '', program = ''] = process.argv.slice(2)
const ROOT = join(import.meta.dirname, '..', '..')
/** @type {Record<string, { app: string, folders: string[] }>} */
const PROGRAMS = {
  server: { app: 'apps/server', folders: ['apps/web/dist'] },
  'voice-worker': { app: 'apps/voice-worker', folders: [] },
}
const found = PROGRAMS[program]
if (found === undefined || target === '') throw new Error('Usage: node runtime.js FOLDER server|voice-worker')

/** Only builds use them. */
const BUILD_TOOLS = ['esbuild']

/** Declarations, maps of sources, and TypeScript next to the JavaScript of a package. */
const NOT_RUN = /\.(?:d\.[cm]?ts|map|flow|tsbuildinfo)$|\/(?:readme|changelog|history)[^/]*\.md$/i

/** @type {Record<string, { link?: boolean, resolved?: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }> }>} */
const locked = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages

/** @type {Set<string>} */
const packages = new Set()
/** @type {Set<string>} */
const workspaces = new Set()
addWorkspace(found.app)

/** @param {string} folder */
function addWorkspace(folder) {
  if (workspaces.has(folder)) return
  workspaces.add(folder)
  for (const name of Object.keys(locked[folder]?.dependencies ?? {})) add(folder, name)
}

/**
 * @param {string} from where the name is imported, in the lock file
 * @param {string} name
 */
function add(from, name) {
  const path = resolve(from, name)
  if (path === null || packages.has(path) || BUILD_TOOLS.includes(name)) return
  packages.add(path)
  const entry = locked[path]
  if (entry?.link === true) return addWorkspace(entry.resolved ?? '')
  const peers = Object.keys(entry?.peerDependencies ?? {}).filter(
    (peer) => entry?.peerDependenciesMeta?.[peer]?.optional !== true,
  )
  for (const dependency of [
    ...Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies }),
    ...peers,
  ])
    add(path, dependency)
}

/**
 * As Node finds packages: in the nearest folder above. A package for another platform is in the lock file and not installed.
 *
 * @param {string} from
 * @param {string} name
 */
function resolve(from, name) {
  for (let at = from; ; at = dirname(at)) {
    const path = join(at === '.' ? '' : at, 'node_modules', name)
    if (locked[path] !== undefined) return existsSync(join(ROOT, path)) ? path : null
    if (at === '.' || at === '') return null
  }
}

/**
 * @param {string} path relative to the root
 * @param {(source: string) => boolean} [isWanted]
 */
function copy(path, isWanted = () => true) {
  const destination = join(target, path)
  mkdirSync(dirname(destination), { recursive: true })
  cpSync(join(ROOT, path), destination, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: isWanted,
  })
}

for (const path of ['package.json', 'LICENSE', 'NOTICE', ...found.folders]) copy(path)
for (const folder of workspaces) {
  // Nested packages of a workspace follow below, if they are needed.
  const nested = join(ROOT, folder, 'node_modules')
  copy(
    folder,
    (source) => source !== nested && !/\/testing(?:\/|$)|\/apps\/web\//.test(`/${relative(ROOT, source)}`),
  )
}
for (const path of packages) {
  const nested = join(ROOT, path, 'node_modules')
  copy(path, (source) => source !== nested && !NOT_RUN.test(source))
}
const cache = 'node_modules/.cache/troupe'
if (program === 'server') {
  for (const path of ['node_modules/.package-lock.json', cache]) copy(path)
  // What the build's user compiled is not found by the image's; a lock is made anew.
  for (const name of readdirSync(join(target, cache)))
    if (name === 'compile-cache' || name.endsWith('.lock'))
      rmSync(join(target, cache, name), { recursive: true })
}
process.stdout.write(`${workspaces.size} workspaces and ${packages.size} packages in ${target}\n`)

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The program of the processes that parse documents. */
export interface ParserProgram {
  /** The file that Node executes. */
  entry: string
  /** Its code, that of its libraries and their resources: all that a process may read. */
  folders: string[]
  /** Folder of the character maps and standard fonts of pdf.js. */
  resources: string
}

const SOURCES = fileURLToPath(new URL('..', import.meta.url))
const RESOURCES = fileURLToPath(new URL('../../resources/pdfjs', import.meta.url))
const LIBRARIES = ['unpdf', '@e965/xlsx', 'yauzl', 'saxes', 'chardet']
/** The sources of the package that reads HTML. */
const KNOWLEDGE = dirname(fileURLToPath(import.meta.resolve('@troupe/knowledge')))
/** The sources of the watchdog of every process that parses. */
const WATCHDOG = dirname(fileURLToPath(import.meta.resolve('@troupe/heavy-work/watchdog')))

/** Next to the dependencies, so that `npm ci` removes the bundle together with them. */
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/troupe/', import.meta.url))

/** What a bundle of the program is made from, and the folder that it belongs in. */
export interface ParserBundle {
  /** By the name of the file that each becomes, without the extension `.mjs`. */
  entries: Record<string, string>
  folder: string
}

/** The bundle of exactly this code and these libraries, which may not exist yet. */
export function parserBundle(cache = CACHE): ParserBundle {
  const hash = createHash('sha256')
  for (const folder of [
    ...['archives', 'child', 'formats'].map((name) => join(SOURCES, name)),
    KNOWLEDGE,
    WATCHDOG,
  ]) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    for (const name of files.filter((path) => path.endsWith('.ts')).sort()) {
      hash.update(`${name}\0`).update(readFileSync(join(folder, name)))
    }
  }
  for (const name of LIBRARIES) hash.update(readFileSync(join(folderOf(name), 'package.json')))
  return {
    entries: { main: join(SOURCES, 'child', 'main.ts'), watchdog: join(WATCHDOG, 'watchdog.ts') },
    folder: join(cache, `parsers-${hash.digest('hex').slice(0, 16)}`),
  }
}

/**
 * The bundle if `npm ci` could make it, otherwise the sources. From the bundle a process starts in half the processor
 * time: Node strips no types, and finds and compiles five modules instead of up to 200.
 */
export function parserProgram(cache = CACHE): ParserProgram {
  const { folder } = parserBundle(cache)
  if (existsSync(folder)) {
    const folders = [folder, RESOURCES].map((path) => `${path}${sep}`)
    return { entry: join(folder, 'main.mjs'), folders, resources: RESOURCES }
  }
  const installed = LIBRARIES.map((name) => modulesAround(folderOf(name)))
  return {
    entry: join(SOURCES, 'child', 'main.ts'),
    folders: [...new Set([dirname(SOURCES), RESOURCES, KNOWLEDGE, WATCHDOG, ...installed])].map(
      (path) => `${path}${sep}`,
    ),
    resources: RESOURCES,
  }
}

/** The folder of an installed library, wherever npm has put it for this package. */
function folderOf(library: string): string {
  const manifest = findPackageJSON(library, import.meta.url)
  if (manifest === undefined) throw new TypeError(`${library} is not installed`)
  return dirname(manifest)
}

function modulesAround(library: string): string {
  const modules = `${sep}node_modules`
  return library.slice(0, library.lastIndexOf(modules) + modules.length)
}

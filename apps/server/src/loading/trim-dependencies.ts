import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './program-bundle.ts'

/**
 * Maps of sources, what is read about a package, and the TypeScript that compiled packages carry along: nothing runs them, and Node
 * refuses TypeScript below `node_modules`. Declarations stay, because the compiler reads them, and other Markdown, which programs read.
 */
const UNUSED_FILE = /\.map$|^(?:readme|changelog|changes|history|contributing)\b.*\.md$/i
const UNUSED_SOURCE = /(?<!\.d)\.[cm]?ts$/
/** Licences must stay beside what they license. */
const LICENCE = /licen[cs]e|copying|notice/i

/**
 * Deletes from the installed dependencies what no program reads: 360 of 1,200 MB. What belongs to the project itself is linked there, and
 * left alone.
 */
export async function trimDependencies(modules = join(ROOT, 'node_modules')): Promise<void> {
  await trim(modules, false)
  for (const name of await readdir(modules)) {
    // The headers of Node are for compilers of native modules; nothing here is compiled.
    if (/^node-(?:linux|darwin|win)-/.test(name))
      await rm(join(modules, name, 'include'), { recursive: true, force: true })
  }
}

async function trim(folder: string, isSource: boolean): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== '.cache' && entry.name !== '.bin') await trim(path, isSource || entry.name === 'src')
    } else if (entry.isFile() && isUnused(entry.name, isSource)) await rm(path, { force: true })
  }
}

function isUnused(name: string, isSource: boolean): boolean {
  if (LICENCE.test(name)) return false
  return UNUSED_FILE.test(name) || (isSource && UNUSED_SOURCE.test(name))
}

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './program-bundle.ts'

/**
 * Source maps, package documentation, and the TypeScript sources of compiled packages: nothing runs them, and Node refuses
 * TypeScript below `node_modules`. Declarations stay for the compiler, and other Markdown for programs that read it.
 */
const UNUSED_FILE = /\.map$|^(?:readme|changelog|changes|history|contributing)\b.*\.md$/i
const UNUSED_SOURCE = /(?<!\.d)\.[cm]?ts$/
/** Licences must stay beside the licensed code. */
const LICENCE = /licen[cs]e|copying|notice/i

/** Deletes unused files of installed dependencies: 360 of 1,200 MB. The project's own packages are linked there and left alone. */
export async function trimDependencies(modules = join(ROOT, 'node_modules')): Promise<void> {
  await trim(modules, false)
  for (const name of await readdir(modules)) {
    // Node's headers are for compiling native modules; nothing is compiled here.
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

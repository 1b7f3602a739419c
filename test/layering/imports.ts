import { posix } from 'node:path'
import type { Source, Workspace } from './sources.ts'

/** One import, re-export or dynamic import of a file. */
export interface Import {
  specifier: string
}

// The formatter puts every static import at the start of a line, so no parser is needed.
const STATIC = /^(?:import|export)\s(?:type\s)?(?:[^'";]*?\sfrom\s)?['"]([^'"\n]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g

export function importsOf(source: Source): Import[] {
  const found: Import[] = []
  for (const [, specifier] of source.text.matchAll(STATIC)) {
    if (specifier) found.push({ specifier })
  }
  for (const [, specifier] of source.text.matchAll(DYNAMIC)) {
    if (specifier) found.push({ specifier })
  }
  return found
}

/** The package of a bare specifier: `drizzle-orm/pg-core` → `drizzle-orm`; null for files and Node's own modules. */
export function packageOf(specifier: string): string | null {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return null
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** The file of this repository for a specifier; null for anything else. */
export function fileOf(specifier: string, from: Source, all: readonly Workspace[]): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from.path), specifier)
  const name = packageOf(specifier)
  const workspace = all.find((candidate) => candidate.manifest.name === name)
  const target = workspace && exportedFile(workspace, `.${specifier.slice(name?.length)}`)
  return workspace && target ? posix.join(workspace.folder, target) : null
}

/** The file behind a subpath that a package exports, by name or by a pattern with `*`. */
function exportedFile({ manifest, sources, folder }: Workspace, subpath: string): string | null {
  for (const [pattern, target] of Object.entries(manifest.exports ?? {})) {
    if (pattern === subpath) return target
    const [before = '', after] = pattern.split('*')
    if (after === undefined || !subpath.startsWith(before) || !subpath.endsWith(after)) continue
    const file = target.replace('*', subpath.slice(before.length, subpath.length - after.length))
    if (sources.some(({ path }) => path === posix.join(folder, file))) return file
  }
  return null
}

import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { crc32 } from 'node:zlib'

/** The root folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** Relative to the root; names the folder of the current bundle. */
export const MANIFEST = join('node_modules', '.cache', 'troupe', 'program.json')

/** A file at the time of bundling. */
export interface BundledFile {
  /** Relative to {@link ROOT}. */
  path: string
  size: number
  mtimeMs: number
  crc32: number
}

/** The inputs of a bundle. */
export interface ProgramManifest {
  /** {@link ROOT}: bundles contain absolute paths. */
  root: string
  folder: string
  inputs: BundledFile[]
}

/** A program of the bundle: the path of its source in `apps/server/src`, without its extension. */
export type ProgramName = 'start' | 'cli/command'

/**
 * The URL of a program in the bundle made by `npm ci`; null if there is none, or if a file has changed since. The bundle has ten
 * modules instead of 1,600, which saves a second of CPU time and 25 MB per start.
 */
export function bundledProgram(name: ProgramName, root = ROOT): string | null {
  const manifest = readManifest(root)
  if (manifest?.root !== root || !manifest.inputs.every((file) => isUnchanged(root, file))) return null
  const path = join(manifest.folder, `${name}.mjs`)
  return existsSync(path) ? pathToFileURL(path).href : null
}

function readManifest(root: string): ProgramManifest | null {
  try {
    return JSON.parse(readFileSync(join(root, MANIFEST), 'utf8'))
  } catch {
    return null
  }
}

/** A copied installation, such as a container image, may have the same content with other times. */
function isUnchanged(root: string, { path, size, mtimeMs, crc32: expected }: BundledFile): boolean {
  const full = join(root, path)
  const found = statSync(full, { throwIfNoEntry: false })
  if (found?.size !== size) return false
  return found.mtimeMs === mtimeMs || crc32(readFileSync(full)) === expected
}

import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { crc32 } from 'node:zlib'

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** Relative to the root; says which folder is the current bundle. */
export const MANIFEST = join('node_modules', '.cache', 'troupe', 'program.json')

/** A file as it was when the bundle was made. */
export interface BundledFile {
  /** Relative to {@link ROOT}. */
  path: string
  size: number
  mtimeMs: number
  crc32: number
}

/** What a bundle of the program was made from. */
export interface ProgramManifest {
  /** {@link ROOT}: a bundle contains absolute paths. */
  root: string
  folder: string
  inputs: BundledFile[]
}

/** A program of the bundle: the path of its source in `apps/server/src`, without its extension. */
export type ProgramName = 'start' | 'cli/command'

/**
 * The URL of a program in the bundle that `npm ci` made; null if there is none, or if a file has changed since. The
 * bundle has ten modules in place of 1,600, which takes a second of processor time and 25 MB off a start.
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

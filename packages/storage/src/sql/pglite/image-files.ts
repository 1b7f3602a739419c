import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { crc32 } from 'node:zlib'

/** The manifest of an image, written next to its files when they are complete. Paths use slashes. */
interface Manifest {
  directories: string[]
  files: { path: string; crc32: number }[]
}

const MANIFEST = 'manifest.json'
const FILES = 'files'

/** The image differs from its manifest: files are missing or have other content. */
export class DamagedImageError extends Error {
  override readonly name = 'DamagedImageError'
}

/** The folder inside an image that holds the data directory of the database. */
export function filesOf(image: string): string {
  return join(image, FILES)
}

/**
 * Writes the manifest of an image's files with their checksums. Also lets every user read them, which PostgreSQL
 * does not: a container may install as root and run the server as another user.
 */
export function sealImage(image: string): void {
  const root = filesOf(image)
  const manifest: Manifest = { directories: [], files: [] }
  chmodSync(root, 0o755)
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name)
    const path = full.slice(root.length + 1).replaceAll(sep, '/')
    chmodSync(full, entry.isDirectory() ? 0o755 : 0o644)
    if (entry.isDirectory()) manifest.directories.push(path)
    else manifest.files.push({ path, crc32: crc32(readFileSync(full)) })
  }
  manifest.directories.sort()
  writeFileSync(join(image, MANIFEST), JSON.stringify(manifest))
}

/** The target of an image's content; parents precede their children. */
export interface ImageTarget {
  directory: (path: string) => void
  file: (path: string, bytes: Uint8Array) => void
}

/**
 * Copies an image into a target, one file at a time to bound memory. Blocks for about 0.1 s. Throws
 * DamagedImageError, possibly after copying part of the image.
 */
export function copyImage(image: string, target: ImageTarget): void {
  const { directories, files } = readManifest(image)
  for (const path of directories) target.directory(path)
  for (const { path, crc32: expected } of files) {
    const bytes = readIntact(join(filesOf(image), path), expected)
    target.file(path, bytes)
  }
}

function readManifest(image: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(image, MANIFEST), 'utf8'))
  } catch (cause) {
    throw new DamagedImageError(`The list of files of the image ${image} cannot be read.`, { cause })
  }
}

function readIntact(path: string, expected: number): Buffer {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (cause) {
    throw new DamagedImageError(`The file ${path} of an image cannot be read.`, { cause })
  }
  if (crc32(bytes) !== expected) throw new DamagedImageError(`The file ${path} of an image was changed.`)
  return bytes
}

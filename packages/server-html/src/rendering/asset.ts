import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** A static file. Its path contains a hash of its content, so browsers may cache it indefinitely. */
export interface Asset {
  /** `/assets/<hash>/<file name>`. */
  path: string
  name: string
  type: string
  content: string | Buffer
}

/** Reads a file beside the code, synchronously: for module load only. */
export function readAsset(file: URL, kind: keyof typeof TYPES): Asset {
  return makeAsset(basename(file.pathname), kind, readFileSync(file, kind === 'woff2' ? null : 'utf8'))
}

/** A file composed of others. */
export function makeAsset(name: string, kind: keyof typeof TYPES, content: string | Buffer): Asset {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16)
  return { path: `/assets/${hash}/${name}`, name, type: TYPES[kind], content }
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' }

/** A static file. Its path contains a hash of its content, so browsers may cache it indefinitely. */
export interface Asset {
  /** `/assets/<hash>/<file name>`. */
  path: string
  name: string
  type: string
  text: string
}

/** Reads a file beside the code, synchronously: for module load only. */
export function readAsset(file: URL, kind: keyof typeof TYPES): Asset {
  const text = readFileSync(file, 'utf8')
  const name = basename(file.pathname)
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  return { path: `/assets/${hash}/${name}`, name, type: TYPES[kind], text }
}

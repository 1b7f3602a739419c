import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { App } from '../../http/server-types.ts'

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }
const FOREVER = 'public, max-age=31536000, immutable'

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

/**
 * Serves assets. During a rolling deployment a page may name the hash of another version: it gets this
 * version's file, marked as not cacheable.
 */
export function registerAssets(app: App, assets: readonly Asset[]): void {
  for (const asset of assets) {
    app.get(`/assets/:hash/${asset.name}`, async (request, reply) => {
      const isCurrent = request.url.split('?')[0] === asset.path
      return reply
        .type(asset.type)
        .header('cache-control', isCurrent ? FOREVER : 'no-cache')
        .send(asset.text)
    })
  }
}

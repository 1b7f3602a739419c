import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { App } from '../../http/server-types.ts'

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }
const FOREVER = 'public, max-age=31536000, immutable'

/** A file that pages load from this server. Its path changes with its content, so that browsers may keep it for ever. */
export interface Asset {
  /** `/assets/<hash>/<file name>`. */
  path: string
  name: string
  type: string
  text: string
}

/** Reads a file beside the code; once, when the module is loaded. */
export function readAsset(file: URL, kind: keyof typeof TYPES): Asset {
  const text = readFileSync(file, 'utf8')
  const name = basename(file.pathname)
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  return { path: `/assets/${hash}/${name}`, name, type: TYPES[kind], text }
}

/**
 * Serves assets. While a deployment is rolled out a page may name the hash of another version: it gets the file that is
 * here, and is told not to keep it.
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

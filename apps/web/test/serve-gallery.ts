import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { buildWeb } from '../build.ts'

const FOLDER = 'dist.gallery'
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
/** As the server sends it with the app. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-n'; img-src 'self' data: blob:; font-src 'self'"

/** Builds the page with every atom in every state and serves it under the policy of the app. */
export async function serveGallery(): Promise<{ url: string } & Disposable> {
  await buildWeb(FOLDER, 'gallery')
  const folder = join(import.meta.dirname, '..', FOLDER)
  const page = readFileSync(join(folder, 'gallery.html'), 'utf8').replaceAll('__TROUPE_NONCE__', 'n')
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/') {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY })
        .end(page)
      return
    }
    try {
      const bytes = readFileSync(join(folder, new URL(url, 'http://gallery.invalid').pathname))
      response
        .writeHead(200, { 'content-type': TYPES[extname(url)] ?? 'application/octet-stream' })
        .end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, [Symbol.dispose]: () => void server.close() }
}

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * The URL of load-program.ts in the bundle that `npm ci` makes, or of its source. This file and the entry points are
 * JavaScript because for a single TypeScript file Node loads a compiler that takes 18 MB and 80 ms of processor time; the
 * bundle needs none. A bundle that came along with a copy of another checkout would run that checkout's program, so it is not used.
 */
export function loaderUrl() {
  return bundled() ?? new URL('./load-program.ts', import.meta.url).href
}

function bundled() {
  try {
    const checkout = new URL('../../../../', import.meta.url)
    const manifest = new URL('node_modules/.cache/troupe/program.json', checkout)
    const { root, folder } = JSON.parse(readFileSync(manifest, 'utf8'))
    if (root !== fileURLToPath(checkout)) return null
    const path = `${folder}/loading/load-program.mjs`
    return existsSync(path) ? pathToFileURL(path).href : null
  } catch {
    return null
  }
}

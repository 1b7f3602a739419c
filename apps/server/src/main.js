import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/**
 * The entry point. It is JavaScript because for a single TypeScript file Node loads a compiler that takes 18 MB and 80 ms
 * of processor time; the bundle that `npm ci` makes (`loading/bundle-program.ts`) needs none.
 */
function bundledLoader() {
  try {
    const manifest = new URL('../../../node_modules/.cache/troupe/program.json', import.meta.url)
    const { folder } = JSON.parse(readFileSync(manifest, 'utf8'))
    const path = `${folder}/loading/load-program.mjs`
    return existsSync(path) ? pathToFileURL(path).href : null
  } catch {
    return null
  }
}

await import(bundledLoader() ?? './loading/load-program.ts')

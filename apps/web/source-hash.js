import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
/** The sources of the built files, without tests. */
const SOURCES = [
  'apps/web/src/**/*.{ts,tsx,css,svg}',
  'apps/web/*.{ts,js,html,json}',
  'packages/{contract,client,editor,graph,json-schema,nodes}/{package.json,src/**/*.ts}',
  'packages/html/src/tokens.css',
  'package-lock.json',
  'tsconfig.json',
]

/** SHA-256 over the sources of the app, in hex. */
export function sourceHash() {
  const hash = createHash('sha256')
  for (const path of globSync(SOURCES, { cwd: ROOT }).sort()) {
    if (path.endsWith('.test.ts')) continue
    const bytes = readFileSync(join(ROOT, path))
    // The length makes the concatenation of the files unambiguous.
    hash.update(`${path.replaceAll('\\', '/')}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

import { readFileSync } from 'node:fs'
import { propertyOf } from '@troupe/contract'

const MANIFEST = new URL('../../package.json', import.meta.url)

/** The version of this server, from its package.json. */
export function serverVersion(): string {
  return String(propertyOf(JSON.parse(readFileSync(MANIFEST, 'utf8')), 'version'))
}

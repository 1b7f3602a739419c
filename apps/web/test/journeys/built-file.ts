import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { propertyOf } from '@troupe/contract'

/** The file in the build that has the code of a source file, such as `src/features/runs/run-page.tsx`. */
export function builtFile(source: string): string {
  const manifest: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../dist/manifest.json'), 'utf8'),
  )
  return String(propertyOf(propertyOf(manifest, source), 'file'))
}

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '..', '..', '..', '..', 'apps', 'web', 'ensure-built.js')

/** Builds the builder's pages if their sources have changed since the last build. */
export function ensureWebBuilt(): void {
  execFileSync(process.execPath, [PROGRAM], { stdio: 'inherit' })
}

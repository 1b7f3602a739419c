import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDERS = ['apps/server', 'examples', 'packages/operations/src/llm-configurations']

/** Only its servers use PostgreSQL with `--mode postgres`. */
const SERVER = '@troupe/test-kit/server'
/** A test that starts its own PostgreSQL does the same in every mode. */
const OWN_POSTGRES = '@troupe/test-kit/postgres'

/**
 * The test files that may differ on PostgreSQL: those that import test servers, directly or through files next to them, but start
 * no PostgreSQL themselves. A browser sees the same pages on either database.
 */
export function postgresTests(): string[] {
  const startsServer = importing(SERVER)
  const startsPostgres = importing(OWN_POSTGRES)
  return FOLDERS.flatMap((folder) =>
    globSync(`${folder}/**/*.test.ts`, { cwd: ROOT, exclude: ['**/node_modules'] }),
  )
    .map((path) => join(ROOT, path))
    .filter((path) => startsServer(path) && !startsPostgres(path) && !path.endsWith('-in-chromium.test.ts'))
    .map((path) => relative(ROOT, path))
}

/** Whether a file imports a module, directly or through relative imports. */
function importing(module: string): (path: string) => boolean {
  const known = new Map<string, boolean>()
  const doesImport = (path: string): boolean => {
    const found = known.get(path)
    if (found !== undefined) return found
    known.set(path, false)
    const result = importsOf(path).some(
      (name) => name === module || (name.startsWith('.') && doesImport(join(dirname(path), name))),
    )
    known.set(path, result)
    return result
  }
  return doesImport
}

function importsOf(path: string): string[] {
  if (!path.endsWith('.ts')) return []
  return [...readFileSync(path, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
    ([, name = '']) => name,
  )
}

import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDERS = ['apps/server', 'examples', 'packages/operations/src/llm-configurations']

/** Its servers, and nothing else, are on PostgreSQL when the tests run with `--mode postgres`. */
const SERVER = '@troupe/test-kit/server'

/**
 * The test files that may differ on PostgreSQL: those that import test servers, directly or through files next to them. A
 * browser sees the same pages on either database.
 */
export function postgresTests(): string[] {
  const known = new Map<string, boolean>()
  const startsServers = (path: string): boolean => {
    const found = known.get(path)
    if (found !== undefined) return found
    known.set(path, false)
    const imports = importsOf(path)
    const result = imports.some(
      (name) => name === SERVER || (name.startsWith('.') && startsServers(join(dirname(path), name))),
    )
    known.set(path, result)
    return result
  }
  return FOLDERS.flatMap((folder) =>
    globSync(`${folder}/**/*.test.ts`, { cwd: ROOT, exclude: ['**/node_modules'] }),
  )
    .filter((path) => startsServers(join(ROOT, path)) && !path.endsWith('-in-chromium.test.ts'))
    .map((path) => relative(ROOT, join(ROOT, path)))
}

function importsOf(path: string): string[] {
  if (!path.endsWith('.ts')) return []
  return [...readFileSync(path, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
    ([, name = '']) => name,
  )
}

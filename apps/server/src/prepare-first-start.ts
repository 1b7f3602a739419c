import { flushCompileCache } from 'node:module'
import { cacheCompiledModules } from './compile-cache.ts'
import { findModulesQuickly } from './find-modules-quickly.ts'

/**
 * Runs after `npm ci` to make the first start fast: compiles the modules and builds the image of the embedded
 * database. It downloads nothing; a step that fails here is repeated at the first start.
 */
try {
  cacheCompiledModules(null)
  findModulesQuickly()
  await Promise.all([import('./server-process.ts'), import('./boot/boot.ts')])
  flushCompileCache()
  const { prepareEmbeddedDatabase } = await import('@troupe/database')
  await prepareEmbeddedDatabase()
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  process.stdout.write(`The first start of Troupe will prepare its database itself: ${reason}\n`)
}

import { flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { findDrizzleQuickly } from '@troupe/database/quick-drizzle'
import { cacheCompiledModules } from './compile-cache.ts'

/**
 * Runs after `npm ci`, so that the first start is quick: compiles the modules of the program and makes the image of the
 * embedded database. It downloads nothing, and what fails here is done at the first start instead.
 */
try {
  cacheCompiledModules(tmpdir())
  findDrizzleQuickly()
  await Promise.all([import('./server-process.ts'), import('./boot/boot.ts')])
  flushCompileCache()
  const { prepareEmbeddedDatabase } = await import('@troupe/database')
  await prepareEmbeddedDatabase()
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  process.stdout.write(`The first start of Troupe will prepare its database itself: ${reason}\n`)
}

import { flushCompileCache } from 'node:module'
import { cacheCompiledModules } from './loading/compile-cache.ts'
import { findModulesQuickly } from './loading/find-modules-quickly.ts'
import { bundlePackages } from './loading/package-bundles.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Runs after `npm ci` to make the first start fast: bundles packages of many modules, compiles the modules and builds
 * the image of the embedded database. It downloads nothing. Without the bundles a start loads the packages themselves,
 * and any other step that fails here is repeated at the first start.
 */
try {
  cacheCompiledModules(null)
  await bundlePackages().catch((error: unknown) =>
    say(`Packages are loaded without bundles: ${messageOf(error)}`),
  )
  findModulesQuickly()
  await Promise.all([import('./server-process.ts'), import('./boot/boot.ts')])
  flushCompileCache()
  const { prepareEmbeddedDatabase } = await import('@troupe/database')
  await prepareEmbeddedDatabase()
} catch (error) {
  say(`The first start of Troupe will prepare its database itself: ${messageOf(error)}`)
}

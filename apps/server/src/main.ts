import { resolve } from 'node:path'
import { readEnv } from './config/env.ts'
import { cacheCompiledModules } from './loading/compile-cache.ts'
import { findModulesQuickly } from './loading/find-modules-quickly.ts'

/** The entry point. Its static imports are compiled before the cache is active, so it stays small. */
cacheCompiledModules(resolve(readEnv().values.TROUPE_DATA_DIR ?? '.troupe'))
findModulesQuickly()
await import('./start.ts')

import { resolve } from 'node:path'
import { cacheCompiledModules } from './compile-cache.ts'
import { readEnv } from './config/env.ts'
import { findModulesQuickly } from './find-modules-quickly.ts'

/** The entry point. Its static imports are compiled before the cache is active, so it stays small. */
cacheCompiledModules(resolve(readEnv().values.TROUPE_DATA_DIR ?? '.troupe'))
findModulesQuickly()
await import('./start.ts')

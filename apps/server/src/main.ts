import { resolve } from 'node:path'
import { findDrizzleQuickly } from '@troupe/database/quick-drizzle'
import { cacheCompiledModules } from './compile-cache.ts'
import { readEnv } from './config/env.ts'

/** The entry point. Its static imports are compiled before the cache is active, so it stays small. */
cacheCompiledModules(resolve(readEnv().values.TROUPE_DATA_DIR ?? '.troupe'))
findDrizzleQuickly()
await import('./start.ts')

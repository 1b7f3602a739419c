import { resolve } from 'node:path'
import { readEnv } from '../config/env.ts'
import { cacheCompiledModules } from './compile-cache.ts'
import { bundledStart } from './program-bundle.ts'

// Static imports are compiled before the cache is active, so they stay few.
cacheCompiledModules(resolve(readEnv().values.TROUPE_DATA_DIR ?? '.troupe'))
await import(bundledStart() ?? new URL('../start.ts', import.meta.url).href)

import { resolve } from 'node:path'
import { readEnv } from '../config/env.ts'
import { cacheCompiledModules } from './compile-cache.ts'
import { bundledProgram, type ProgramName } from './program-bundle.ts'

/**
 * Runs a program from the bundle, or from its sources if they have changed since. Modules imported by this file are compiled before
 * the compile cache is active, so keep them few.
 */
export async function loadProgram(name: ProgramName): Promise<void> {
  // Only the server has a data folder to fall back to.
  cacheCompiledModules(name === 'start' ? resolve(readEnv().values.TROUPE_DATA_DIR ?? '.troupe') : null)
  await import(bundledProgram(name) ?? new URL(`../${name}.ts`, import.meta.url).href)
}

import { endWithoutTeardown } from '@troupe/telemetry/end-process'
import { buildWeb } from './build.ts'

/**
 * The process in which `ensure-built.js` builds. Its argument is the folder. It prints its peak memory in MB, or the
 * reason that the sources do not build.
 */
endWithoutTeardown()
try {
  const [outDir = 'dist.next'] = process.argv.slice(2)
  await buildWeb(outDir)
  process.stdout.write(`${Math.round(process.resourceUsage().maxRSS / 1_024)}`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

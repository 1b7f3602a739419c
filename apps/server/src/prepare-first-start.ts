import { endWithoutTeardown } from '@troupe/telemetry/end-process'
import { bundleParsers } from './loading/bundle-parsers.ts'
import { bundleProgram } from './loading/bundle-program.ts'
import { startBriefly } from './loading/start-briefly.ts'
import { trimDependencies } from './loading/trim-dependencies.ts'

/**
 * Runs after `npm ci`: deletes unused files of the dependencies, and makes the first start fast. It bundles the program and the
 * document parser, and starts the program once, which compiles the bundle and creates the image of the embedded database. It
 * downloads nothing. After a failed step the next start works without its result: it loads modules one by one, or creates the image
 * itself. With `--required`, as in the build of a container image, a failure exits with code 1.
 */
async function prepare(name: string, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.stdout.write(`Troupe was installed without ${name}: ${reason}\n`)
    if (process.argv.includes('--required')) process.exitCode = 1
  }
}

endWithoutTeardown()
await prepare('trimmed dependencies', () => trimDependencies())
await prepare('the bundle of its program', bundleProgram)
await prepare('the bundle of its document parsers', bundleParsers)
await prepare('a prepared first start', startBriefly)

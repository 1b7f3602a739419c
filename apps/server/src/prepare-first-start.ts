import { bundleParsers } from './loading/bundle-parsers.ts'
import { bundleProgram } from './loading/bundle-program.ts'
import { startBriefly } from './loading/start-briefly.ts'
import { trimDependencies } from './loading/trim-dependencies.ts'

/**
 * Runs after `npm ci`: deletes what no program reads from the dependencies, and makes the first start fast. It bundles the program and the one that parses documents, and starts the
 * program once, which compiles the bundle and makes the image of the embedded database. It downloads nothing. Whatever
 * fails here is done without by the next start: it loads modules one by one, or makes the image itself. With `--required`, as
 * in the build of a container image, it ends with exit code 1 then.
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

await prepare('trimmed dependencies', () => trimDependencies())
await prepare('the bundle of its program', bundleProgram)
await prepare('the bundle of its document parsers', bundleParsers)
await prepare('a prepared first start', startBriefly)

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceHash } from './source-hash.js'

/**
 * Runs before `npm start`: builds the app when its sources are others than those of the last build. It is JavaScript, because
 * stripping types would double the time that a start waits for "nothing has changed".
 */

const FOLDER = import.meta.dirname
const DIST = join(FOLDER, 'dist')
const LOCK = join(FOLDER, 'dist.build.lock')
/** Longer than any build. */
const LONGEST_WAIT_MS = 120_000

const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`)

const hash = sourceHash()
if (!isBuilt(hash)) {
  const { takeFileLock } = await import('@troupe/file-locks')
  using lock = await takeFileLock(LOCK, LONGEST_WAIT_MS)
  // Another process may have built the same while this one waited.
  if (lock === null)
    say(
      'Another process has been building the pages of the builder for two minutes; this one goes on without them.',
    )
  else if (!isBuilt(hash)) await build(hash)
}

/** @param {string} wanted */
function isBuilt(wanted) {
  try {
    const { hash: built, failure } = JSON.parse(readFileSync(join(DIST, 'build.json'), 'utf8'))
    return built === wanted && failure === null
  } catch {
    return false
  }
}

/** @param {string} wanted */
async function build(wanted) {
  const started = performance.now()
  say('Building the pages of the builder …')
  const next = 'dist.next'
  const describe = (/** @type {string | null} */ failure) =>
    writeFileSync(join(FOLDER, next, 'build.json'), `${JSON.stringify({ hash: wanted, failure })}\n`)
  try {
    const { buildWeb } = await import('./build.ts')
    await buildWeb(next)
    describe(null)
    replaceBuild(next)
    say(`Built in ${((performance.now() - started) / 1_000).toFixed(1)} s.`)
  } catch (error) {
    rmSync(join(FOLDER, next), { recursive: true, force: true })
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    say(`The pages of the builder could not be built, the API works without them: ${line}`)
    mkdirSync(join(FOLDER, next), { recursive: true })
    describe(line)
    replaceBuild(next)
  }
}

/**
 * Puts a finished build in place of the former one. The lock keeps other builds away meanwhile.
 *
 * @param {string} next
 */
function replaceBuild(next) {
  const former = join(FOLDER, `${next}.former`)
  try {
    renameSync(DIST, former)
  } catch {
    // The first build replaces nothing.
  }
  renameSync(join(FOLDER, next), DIST)
  rmSync(former, { recursive: true, force: true })
}

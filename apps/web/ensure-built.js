import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceHash } from './source-hash.js'

/**
 * Runs before `npm start`: builds the app if its sources have changed since the last build. It is JavaScript, because
 * stripping types would double the time of this check in an unchanged checkout. With `--required`, a failed build ends
 * it with exit code 1.
 */

const FOLDER = import.meta.dirname
const DIST = join(FOLDER, 'dist')
const LOCK = join(FOLDER, 'dist.build.lock')
/** Read by the bundler's allocator (mimalloc) and by its runtimes (Rayon, Tokio). */
const SMALL = { MIMALLOC_PURGE_DELAY: '0', RAYON_NUM_THREADS: '1', TOKIO_WORKER_THREADS: '1' }
/** Longer than any build. */
const LONGEST_WAIT_MS = 120_000

const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`)

const hash = sourceHash()
if (!isBuilt(hash)) {
  const { endWithoutTeardown } = await import('@troupe/telemetry/end-process')
  endWithoutTeardown()
  const { takeFileLock } = await import('@troupe/file-locks')
  using lock = await takeFileLock(LOCK, LONGEST_WAIT_MS)
  // Another process may have built the same while this one waited.
  if (lock === null)
    say(
      'Another process has been building the pages of the builder for two minutes; this one goes on without them.',
    )
  else if (!isBuilt(hash)) build(hash)
}
if (process.argv.includes('--required') && !isBuilt(hash)) process.exitCode = 1

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
function build(wanted) {
  const started = performance.now()
  say('Building the pages of the builder …')
  const next = 'dist.next'
  const describe = (/** @type {string | null} */ failure) =>
    writeFileSync(join(FOLDER, next, 'build.json'), `${JSON.stringify({ hash: wanted, failure })}\n`)
  const { failure, memoryMb } = buildInChild(next)
  if (failure === null) {
    describe(null)
    replaceBuild(next)
    say(`Built in ${((performance.now() - started) / 1_000).toFixed(1)} s, with ${memoryMb} MB of memory.`)
    return
  }
  rmSync(join(FOLDER, next), { recursive: true, force: true })
  say(`The pages of the builder could not be built, the API works without them: ${failure}`)
  mkdirSync(join(FOLDER, next), { recursive: true })
  describe(failure)
  replaceBuild(next)
}

/**
 * Builds in a separate process, with variables that make the bundler return freed memory and use one thread of each
 * kind: that takes less than half of the memory, so that a host of 1 GB can build.
 *
 * @param {string} next
 * @returns {{ failure: string | null, memoryMb: string }} the first line of the failure; null: built
 */
function buildInChild(next) {
  const { status, signal, stdout, stderr, error } = spawnSync(
    process.execPath,
    ['--max-semi-space-size=1', join(FOLDER, 'build-in-child.ts'), next],
    {
      env: { ...process.env, ...SMALL },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    },
  )
  if (status === 0) return { failure: null, memoryMb: stdout.trim() }
  return { failure: reasonOf({ signal, text: error?.message ?? stderr }), memoryMb: '' }
}

/** @param {{ signal: string | null, text: string }} ended */
function reasonOf({ signal, text }) {
  if (signal !== null) return `the build was ended by ${signal}, as the system does when memory runs out.`
  const [line = ''] = text.trim().split('\n')
  return line || 'the build ended without a message.'
}

/**
 * Replaces the former build with a finished one. The lock excludes other builds.
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

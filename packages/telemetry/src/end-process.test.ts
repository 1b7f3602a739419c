import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const MODULE = JSON.stringify(new URL('./end-process.ts', import.meta.url).href)
const PATIENCE = { timeout: 60_000 }
/** Whether a process can be replaced here; Windows exits as usual. */
const canReplace = process.execve !== undefined

async function run(script: string, options: readonly string[] = [], env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-end-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'program.mjs')
  await writeFile(path, `import { endProcess, endWithoutTeardown } from ${MODULE}\n${script}\n`)
  const child = spawn(process.execPath, [...options, path], {
    env: { PATH: process.env.PATH ?? '', ...env },
    timeout: 10_000,
    killSignal: 'SIGKILL',
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const [code, signal] = await once(child, 'close')
  return { code, signal, out, err }
}

/**
 * A program in the state of the reports (https://github.com/nodejs/node/issues/54918): threads of V8 allocate, by a V8
 * option for its own tests, while the main thread exits and collects no garbage. The exit takes a second, because it
 * waits for a thread.
 */
const STRESS = [
  '--stress-concurrent-allocation',
  '--initial-old-space-size=8',
  '--max-old-space-size=60',
  '--no-detect-ineffective-gcs-near-heap-limit',
  '--no-warnings',
]
const FULL = `
import { writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
globalThis.kept = Array.from({ length: 3_600 }, (_, index) => new Array(1_000).fill(index + 0.5))
const text = "require('node:worker_threads').parentPort.postMessage(1);require('node:child_process').execFileSync('sleep', ['1'])"
await new Promise((resolve) => new Worker(text, { eval: true, execArgv: [] }).once('message', resolve))
await new Promise((resolve) => setTimeout(resolve, 50))
writeSync(1, 'leaving')
`

/** The end of a program in that state. The V8 option crashes some programs before they exit; these are restarted. */
async function runFull(script: string) {
  for (let attempt = 1; ; attempt += 1) {
    const ended = await run(script, STRESS)
    if (ended.out === 'leaving' || attempt === 8) return ended
  }
}

test.runIf(canReplace)(
  'a process ends while threads of V8 wait for its garbage collection',
  PATIENCE,
  async () => {
    expect(await runFull(`${FULL}endProcess(3)`)).toMatchObject({ code: 3, signal: null })
    expect(await runFull(`endWithoutTeardown()\n${FULL}process.exit(4)`)).toMatchObject({ code: 4 })
    expect(await runFull(`endWithoutTeardown()\n${FULL}throw new Error('uncaught')`)).toMatchObject({
      code: 1,
    })
  },
)

test(
  'every way of ending has its exit code, calls all listeners of exit and writes everything',
  PATIENCE,
  async () => {
    const listening = "endWithoutTeardown()\nprocess.on('exit', (code) => console.log('listener ' + code))\n"
    const ends = {
      "process.exitCode = 5\nprocess.stdout.write('x'.repeat(1e6))": [5, `${'x'.repeat(1e6)}listener 5\n`],
      'process.exit(6)': [6, 'listener 6\n'],
      'endProcess(7)': [7, 'listener 7\n'],
      '': [0, 'listener 0\n'],
      'throw new Error()': [1, 'listener 1\n'],
      "process.on('exit', () => { process.exitCode = 8 })": [8, 'listener 0\n'],
      'await new Promise(() => {})': [13, 'listener 13\n'],
    }
    for (const [script, [code, out]] of Object.entries(ends)) {
      const ended = await run(listening + script)
      expect([ended.code, ended.out], script).toEqual([code, out])
    }
  },
)

test('an uncaught error is printed with its cause, including one of a promise', PATIENCE, async () => {
  const thrown = await run(
    "endWithoutTeardown()\nthrow new Error('broken', { cause: new Error('the reason') })",
  )
  expect(thrown.err).toMatch(/Error: broken\n {4}at .*[\s\S]*\[cause\]: Error: the reason/)
  const rejected = await run("endWithoutTeardown()\nPromise.reject(new Error('refused'))")
  expect([rejected.code, rejected.err]).toEqual([1, expect.stringContaining('Error: refused')])
  const handled =
    "process.on('uncaughtException', () => { process.exitCode = 9 })\nsetTimeout(() => { throw 1 })"
  expect(await run(`endWithoutTeardown()\n${handled}`)).toMatchObject({ code: 9, err: '' })
})

test('a process that may start no other exits as usual', PATIENCE, async () => {
  const ended = await run('endProcess(3)', ['--permission', '--allow-fs-read=*', '--no-warnings'])
  expect(ended).toEqual({ code: 3, signal: null, out: '', err: '' })
})

test(
  'a lock of the kernel ends with the process, and a measured process writes its coverage',
  PATIENCE,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'troupe-end-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const lock = JSON.stringify(join(folder, 'lock'))
    const take = `import { tryFileLock } from '${import.meta.resolve('@troupe/file-locks')}'\nif (tryFileLock(${lock}) === null) endProcess(1)\n`
    expect((await run(`${take}endProcess(0)`)).code).toBe(0)
    expect((await run(`${take}endProcess(0)`, [], { NODE_V8_COVERAGE: folder })).code).toBe(0)
    expect(globSync('coverage-*.json', { cwd: folder })).toHaveLength(1)
  },
)

test('the modules that a process has compiled are cached for the next one', PATIENCE, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-end-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const cache = `(await import('node:module')).enableCompileCache(${JSON.stringify(folder)})\nawait import(${JSON.stringify(new URL('./stop-signals.ts', import.meta.url).href)})\n`
  expect((await run(`${cache}endProcess(0)`)).code).toBe(0)
  expect(globSync('**/*', { cwd: folder }).length).toBeGreaterThan(1)
})

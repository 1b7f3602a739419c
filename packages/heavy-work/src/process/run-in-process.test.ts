import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childrenOf, prioritiesOf, sessionOf } from '../testing/processes.ts'
import { type ProcessEnded, runInProcess } from './run-in-process.ts'

const SERVE = JSON.stringify(new URL('./serve-input.ts', import.meta.url).href)
const LIMITS = { timeMs: 20_000, heapMb: 64 }
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-process-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A program whose result is the value of an expression over `input`. */
async function program(name: string, expression: string): Promise<URL> {
  const path = join(folder, `${name}.mjs`)
  await writeFile(path, `import { serveInput } from ${SERVE}\nserveInput((input) => ${expression})\n`)
  return pathToFileURL(path)
}

const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')

const endOf = (running: Promise<unknown>) =>
  running.then(
    (answer) => ({ answer }),
    (error: ProcessEnded) => error.reason ?? error,
  )

test('a program answers one input, with values that JSON does not have, and sees no environment', async () => {
  const echo = await program('echo', '({ input, environment: Object.keys(process.env) })')
  const input = { list: [1n, undefined], text: 'x'.repeat(2_000_000) }
  expect(await runInProcess(echo, input, LIMITS)).toEqual({ input, environment: [] })
})

test('a long text arrives whole, in pieces that may end within a letter', async () => {
  const size = await program(
    'size',
    '({ length: input.text.length, end: input.text.slice(-3), at: input.text.indexOf("c"), name: input.name })',
  )
  const text = `a${'👋'.repeat(4_000_000)}bc`
  const answer = await runInProcess(size, { name: 'n', text }, LIMITS)
  expect(answer).toEqual({ length: text.length, end: '\udc4bbc', at: text.length - 1, name: 'n' })
})

// A YAML list of 900 KB ended the whole server when it was parsed in a thread with a heap of 256 MB.
test('a program that fills its heap ends alone', { timeout: 60_000 }, async () => {
  const fill = await program(
    'fill',
    '{ const kept = []; for (;;) kept.push(Array.from({ length: 1e6 }, () => ({}))) }',
  )
  expect(await endOf(runInProcess(fill, null, LIMITS))).toBe('memory')
})

test('a program ends at its CPU time, when it fails, and with the signal', {
  timeout: 60_000,
}, async () => {
  const loop = await program('loop', '{ for (;;); }')
  expect(await endOf(runInProcess(loop, null, { ...LIMITS, timeMs: 300 }))).toBe('time')
  expect(await endOf(runInProcess(await program('fail', 'input.absent.property'), {}, LIMITS))).toBe(
    'failure',
  )
  const controller = new AbortController()
  const running = endOf(runInProcess(loop, null, LIMITS, controller.signal))
  controller.abort('stopped')
  expect(await running).toBe('stopped')
})

// sched(7): without this, the threads that Node starts first had the server's priority, and a separate session as much time as the whole
// server.
test.runIf(process.platform === 'linux')(
  'every thread of a program has a lower priority, in the session of this process',
  async () => {
    const loop = await program('low', '{ for (;;); }')
    const controller = new AbortController()
    const running = endOf(runInProcess(loop, null, LIMITS, controller.signal))
    const [pid = 0] = childrenOf(process.pid).filter((child) => commandOf(child).includes('low.mjs'))
    await expect.poll(() => prioritiesOf(pid).length).toBeGreaterThan(4)
    expect(new Set(prioritiesOf(pid))).toEqual(new Set([5]))
    expect(sessionOf(pid)).toBe(sessionOf(process.pid))
    controller.abort('stopped')
    expect(await running).toBe('stopped')
  },
)

test('signals that stop a server do not interrupt a program, and are not blamed on its input', async () => {
  const signals = "for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(process.pid, signal)"
  expect(
    await endOf(runInProcess(await program('stopped', `{ ${signals}; return 1 }`), null, LIMITS)),
  ).toEqual({
    answer: 1,
  })
  const path = join(folder, 'starts.mjs')
  await writeFile(path, "process.kill(process.pid, 'SIGINT')\nsetInterval(() => {}, 1_000)\n")
  expect(await endOf(runInProcess(pathToFileURL(path), null, LIMITS))).toBe('stopped')
})

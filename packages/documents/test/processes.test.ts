import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BusyError, createHeavyWork } from '@troupe/heavy-work'
import { childrenOf, prioritiesOf, sessionOf } from '@troupe/heavy-work/testing/processes'
import { describe, expect, test, vi } from 'vitest'
import { PROCESS_LIMITS } from '../src/formats/limits.ts'
import { startParser } from '../src/reader/parser-process.ts'
import { parserProgram } from '../src/reader/parser-program.ts'
import { endlessPdf } from '../src/testing/hostile.ts'
import { docx } from '../src/testing/samples.ts'
import { openSetting } from './setting.ts'

const SLOW = { timeout: 30_000, interval: 20 }

test('many documents are read two at a time, and all get their own text', async () => {
  await using setting = openSetting()
  const texts = Array.from({ length: 6 }, (_, index) => `document ${index}`)
  const read = await Promise.all(texts.map((text) => setting.read('docx', docx([text]))))
  expect(read).toEqual(texts.map((text) => ({ kind: 'text', text, isCut: false })))
})

test('beyond the places to wait a document is refused, and nothing else is', async () => {
  await using setting = openSetting()
  const path = setting.store(docx(['x']))
  const reads = Array.from({ length: 24 }, () => setting.reader.read({ path, format: 'docx', owner: 'a' }))
  const refused = (await Promise.allSettled(reads)).filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: expect.any(BusyError) }, { reason: expect.any(BusyError) }])
})

test('disposing aborts running reads, refuses waiting ones, and resolves when no process is left', async () => {
  const setting = openSetting({ heavy: createHeavyWork({ places: 3 }) })
  const reading = setting.read('pdf', endlessPdf())
  const waiting = setting.read('docx', docx(['x'])).catch((error: unknown) => error)
  await vi.waitFor(() => expect(process.getActiveResourcesInfo()).toContain('ProcessWrap'), SLOW)
  await setting[Symbol.asyncDispose]()
  expect(process.getActiveResourcesInfo()).not.toContain('ProcessWrap')
  expect(await reading).toEqual({ kind: 'unreadable', reason: 'stopped' })
  expect(await waiting).toBeInstanceOf(BusyError)
  await expect(setting.reader.read({ path: '/x', format: 'pdf', owner: 'a' })).rejects.toThrow(BusyError)
})

test('without the bundle that an installation makes, the process runs the sources', async () => {
  await using setting = openSetting()
  const program = parserProgram('/nowhere')
  expect(program.entry).toMatch(/main\.ts$/)
  await using file = await open(setting.store(docx(['from the sources'])))
  const parser = startParser(
    program,
    { fileDescriptor: file.fd, format: 'docx', maxCharacters: 100 },
    { ...PROCESS_LIMITS, timeoutMs: 60_000 },
  )
  expect(await parser.end).toEqual({ kind: 'text', text: 'from the sources', isCut: false })
})

describe.runIf(process.platform === 'linux')('the process of a document', () => {
  test('has no environment, and its options leave it nothing but its own code', async () => {
    vi.stubEnv('SECRET_OF_THE_SERVER', 'x')
    await using setting = openSetting()
    void setting.read('pdf', endlessPdf())
    const pid = await vi.waitFor(() => {
      const [child] = childrenOf(process.pid).filter((one) =>
        commandOf(one).some((part) => part.endsWith('main.mjs')),
      )
      return child ?? expect.fail('no process yet')
    }, SLOW)
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('')
    // Ctrl-C, and a supervisor that signals everything: the server drains first.
    await vi.waitFor(() => expect(caughtSignals(pid)).toEqual(['SIGHUP', 'SIGINT', 'SIGTERM']), SLOW)
    expect(new Set(prioritiesOf(pid))).toEqual(new Set([5]))
    expect(sessionOf(pid), 'priorities count within a session').toBe(sessionOf(process.pid))
    const options = commandOf(pid).filter((part) => part.startsWith('--'))
    // The same options are tested with a program that tries to break out.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...options, '--eval', PROBE, '/etc/hosts'],
      {
        env: {},
      },
    )
    expect(JSON.parse(stdout)).toEqual({
      readsAFile: 'ERR_ACCESS_DENIED',
      writesAFile: 'ERR_ACCESS_DENIED',
      startsAProgram: 'ERR_ACCESS_DENIED',
      readsAFileInAThread: 'ERR_ACCESS_DENIED',
      evaluates: 'EvalError',
    })
  })
})

test('connections are refused through every API of Node', async () => {
  await using server = createServer((socket) => socket.end('x')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const probe = fileURLToPath(new URL('./connection-probe.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [probe, String(port)])
  const attempts = JSON.parse(stdout) as Record<string, string>
  expect(Object.keys(attempts)).toHaveLength(8)
  expect(Object.entries(attempts).filter(([, outcome]) => outcome !== 'refused')).toEqual([])
})

/** Which of the three signals the process catches: bits of a mask, from 1 on (proc_pid_status(5)). */
function caughtSignals(pid: number): string[] {
  const mask = BigInt(`0x${/^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]}`)
  return (['SIGHUP', 'SIGINT', 'SIGTERM'] as const).filter(
    (name) => ((mask >> BigInt(constants.signals[name] - 1)) & 1n) === 1n,
  )
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  } catch {
    return []
  }
}

const PROBE = `
const fs = require('node:fs')
const { Worker } = require('node:worker_threads')
const outcome = (attempt) => { try { attempt(); return 'done' } catch (error) { return error.code ?? error.name } }
const report = {
  readsAFile: outcome(() => fs.readFileSync('/etc/hosts')),
  writesAFile: outcome(() => fs.writeFileSync('/tmp/written-by-a-document', 'x')),
  startsAProgram: outcome(() => require('node:child_process').execFileSync('/bin/true')),
  evaluates: outcome(() => new Function('return 1')()),
}
const worker = new Worker(
  "const { parentPort } = require('node:worker_threads'); try { require('node:fs').readFileSync('/etc/hosts'); parentPort.postMessage('done') } catch (error) { parentPort.postMessage(error.code) }",
  { eval: true },
)
worker.on('message', (readsAFileInAThread) => console.log(JSON.stringify({ ...report, readsAFileInAThread })))
`

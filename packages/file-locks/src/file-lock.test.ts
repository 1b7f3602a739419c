import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeFileLock, tryFileLock } from './file-lock.ts'

const HOLDER = fileURLToPath(new URL('testing/hold-lock.ts', import.meta.url))

let folder: string
let path: string
const children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-lock-'))
  path = join(folder, 'a.lock')
})
afterEach(async () => {
  for (const child of children.splice(0)) await killed(child)
  rmSync(folder, { recursive: true, force: true })
})

/** A process that takes the lock; resolves with its output. */
async function holder(waitMs = 0): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [HOLDER, path, String(waitMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [said] = await once(child.stdout, 'data')
  return { child, said: String(said).trim() }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe('the lock of a file', () => {
  it('is held once, within a process too, and can be acquired again after its release', () => {
    const first = tryFileLock(path)
    expect(first?.isNew).toBe(true)
    expect(tryFileLock(path)).toBeNull()
    first?.[Symbol.dispose]()
    using again = tryFileLock(path)
    expect(again?.isNew).toBe(false)
    expect(statSync(path).size, 'nothing is ever written').toBe(0)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('is refused while another process holds it, and free once that process is killed', async () => {
    const { child, said } = await holder()
    expect(said).toBe('held')
    expect(tryFileLock(path)).toBeNull()
    expect((await holder()).said).toBe('refused')
    await killed(child)
    using lock = tryFileLock(path)
    expect(lock).not.toBeNull()
  })

  it('is acquired by exactly one of many concurrent processes', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => holder(200)))
    expect(all.map(({ said }) => said).sort()).toEqual(['held', ...Array(5).fill('refused')])
  })

  it('is acquired as soon as the holder ends, within the wait time', async () => {
    const { child } = await holder()
    const waiting = takeFileLock(path, 20_000)
    child.kill('SIGKILL')
    using lock = await waiting
    expect(lock).not.toBeNull()
  })

  it('is not inherited by a child process that outlives its holder', async () => {
    const script = `
      import { spawn } from 'node:child_process'
      import { tryFileLock } from ${JSON.stringify(new URL('file-lock.ts', import.meta.url).href)}
      globalThis.lock = tryFileLock(${JSON.stringify(path)})
      const child = spawn('sleep', ['60'], { stdio: 'ignore' })
      process.stdout.write(String(child.pid))
      setInterval(() => {}, 1000)`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(parent)
    const [pid] = await once(parent.stdout, 'data')
    try {
      expect(tryFileLock(path)).toBeNull()
      await killed(parent)
      using lock = tryFileLock(path)
      expect(lock).not.toBeNull()
    } finally {
      process.kill(Number(pid), 'SIGKILL')
    }
  })

  it('is not copied with the folder, and a copy by another process does not release it', async () => {
    const { child } = await holder()
    execFileSync('cp', ['-a', path, join(folder, 'copy.lock')])
    using copied = tryFileLock(join(folder, 'copy.lock'))
    expect(copied).not.toBeNull()
    expect(tryFileLock(path)).toBeNull()
    await killed(child)
  })

  it('is the same by another name of the file', () => {
    using lock = tryFileLock(path)
    symlinkSync(path, join(folder, 'link.lock'))
    expect(lock).not.toBeNull()
    expect(tryFileLock(join(folder, 'link.lock'))).toBeNull()
  })

  it('knows that its file was removed, replaced or moved', async () => {
    using lock = tryFileLock(path)
    expect(await lock?.isIntact()).toBe(true)
    renameSync(path, join(folder, 'moved'))
    expect(await lock?.isIntact()).toBe(false)
    writeFileSync(path, '')
    expect(await lock?.isIntact()).toBe(false)
    rmSync(path)
    renameSync(join(folder, 'moved'), path)
    expect(await lock?.isIntact()).toBe(true)
  })

  it('reports a file that cannot be a lock', () => {
    writeFileSync(path, '4711\n')
    expect(() => tryFileLock(path)).toThrow(`The lock file ${path} cannot be used`)
    copyFileSync(path, join(folder, 'kept'))
    rmSync(path)
    mkdirSync(path)
    expect(() => tryFileLock(path)).toThrow(`The lock file ${path} cannot be used`)
    expect(() => tryFileLock(join(folder, 'nowhere', 'a.lock'))).toThrow('ENOENT')
  })
})

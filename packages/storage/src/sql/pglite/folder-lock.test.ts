import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lockFolder } from './folder-lock.ts'
import { readOwner } from './owner-file.ts'

const OWNER = fileURLToPath(new URL('../testing/own-folder.ts', import.meta.url))

let folder: string
const children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-lock-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

const never = () => {
  throw new Error('the folder was lost')
}

/** A process that owns the folder until it is killed, or for some milliseconds after SIGTERM. */
async function owner(endsAfterMs = 0, before = ''): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, [OWNER, folder, String(endsAfterMs), before], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout, 'data')
  return child as ChildProcess & { pid: number }
}

describe('the owner of a folder', () => {
  it('releases it, and takes it again', async () => {
    const path = join(folder, 'new')
    const first = await lockFolder(path, never)
    await expect(lockFolder(path, never)).rejects.toThrow('This process has already opened')
    expect(JSON.parse(readFileSync(join(path, 'owner.json'), 'utf8'))).toMatchObject({
      pid: process.pid,
      host: hostname(),
    })
    first[Symbol.dispose]()
    expect(readdirSync(path), 'the file of the lock stays').toEqual(['owner.lock'])
    const again = await lockFolder(path, never)
    again[Symbol.dispose]()
  })

  it('is named to a second process after a wait of two seconds', async () => {
    const { pid } = await owner()
    const since = performance.now()
    await expect(lockFolder(folder, never)).rejects.toThrow(
      `Another Troupe process (pid ${pid} on host ${hostname()}, since ${new Date().toISOString().slice(0, 10)}`,
    )
    expect(performance.now() - since).toBeGreaterThan(1_900)
  })

  it('may take one and a half seconds to end', async () => {
    const child = await owner(1_500)
    child.kill('SIGTERM')
    const lock = await lockFolder(folder, never)
    lock[Symbol.dispose]()
  })

  it('no longer counts once it was killed, even while it is a zombie', async () => {
    // The shell replaces itself with a program that does not wait for its children.
    const parent = spawn('sh', ['-c', '"$0" "$@" & exec sleep 600', process.execPath, OWNER, folder, '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(parent)
    const [said] = await once(parent.stdout, 'data')
    const pid = Number(said)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ')
    const lock = await lockFolder(folder, never)
    lock[Symbol.dispose]()
  })

  it.for([
    ['the pid of a process that lives', `${process.ppid}\n`],
    ['the pid of this process', `${process.pid}\n`],
    ['nothing, after a crash', ''],
  ] as const)('is not identified by a file of a previous build: %s', async ([, content]) => {
    writeFileSync(join(folder, 'lock'), content)
    const lock = await lockFolder(folder, never)
    expect(existsSync(join(folder, 'lock'))).toBe(false)
    lock[Symbol.dispose]()
  })

  it('is not identified by a description of another boot, host or folder', async () => {
    const stale = {
      pid: process.ppid,
      host: hostname(),
      since: '2020-01-01T00:00:00.000Z',
      pidNamespace: null,
    }
    writeFileSync(join(folder, 'owner.json'), JSON.stringify(stale))
    writeFileSync(join(folder, 'owner.lock'), '')
    const lock = await lockFolder(folder, never)
    expect(readFileSync(join(folder, 'owner.json'), 'utf8')).toContain(`"pid":${process.pid}`)
    lock[Symbol.dispose]()
  })

  it('without a description is reported as another process', async () => {
    await owner()
    rmSync(join(folder, 'owner.json'))
    await expect(lockFolder(folder, never)).rejects.toThrow(`Another process uses the data folder ${folder}.`)
  })

  it.for([
    ['no JSON', '{'],
    ['of another form', '{"pid":"rm -rf /"}'],
    ['without end', `{"pid":1,"host":"${'x'.repeat(10_000)}","since":""}`],
  ] as const)('is not identified by a description that is %s', ([, content]) => {
    writeFileSync(join(folder, 'owner.json'), content)
    expect(readOwner(folder)).toBeNull()
  })

  it('on another host or in another container is reported without its pid, which means another process here', async () => {
    await owner()
    const owned = { pid: 7, host: 'c0ffee', since: '2026-11-28T12:00:00.000Z', pidNamespace: 'pid:[1]' }
    writeFileSync(join(folder, 'owner.json'), JSON.stringify(owned))
    await expect(lockFolder(folder, never)).rejects.toThrow(
      '(pid 7 on host c0ffee in another container or PID namespace, since 2026-11-28T12:00:00.000Z)',
    )
  })
})

describe('a lock file that is removed while its owner runs', () => {
  it('is created and locked again', async () => {
    using _lock = await lockFolder(folder, never)
    rmSync(join(folder, 'owner.lock'))
    await expect.poll(() => existsSync(join(folder, 'owner.lock'))).toBe(true)
    expect(
      execFileSync(process.execPath, [OWNER, folder, '0', 'refused'], { encoding: 'utf8', timeout: 20_000 }),
    ).toContain('Another Troupe process')
  })

  it('is taken by a second process only after the owner had time to exit', async () => {
    const lost = vi.fn()
    using _lock = await lockFolder(folder, lost)
    mkdirSync(join(folder, 'pglite'))
    writeFileSync(join(folder, 'pglite', 'PG_VERSION'), '18\n')
    // The second process removes the file itself: its start may take longer than the owner's next check.
    await owner(0, 'removed')
    expect(lost).toHaveBeenCalledTimes(1)
    expect(String(lost.mock.calls[0])).toContain('was removed or replaced while the folder was in use')
  })

  it('ends the ownership of a folder that was moved away', async () => {
    const lost = vi.fn()
    using _lock = await lockFolder(folder, lost)
    renameSync(folder, `${folder}-moved`)
    await expect.poll(() => lost.mock.calls.length).toBe(1)
    renameSync(`${folder}-moved`, folder)
  })
})

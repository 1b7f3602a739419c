import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@troupe/test-kit/free-port'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mountSmallDisk } from '../test/full-disk/small-disk.ts'
import { bundleProgram } from './loading/bundle-program.ts'

const run = promisify(execFile)
const MAIN = fileURLToPath(new URL('./main.js', import.meta.url))

/** Starting a process is slow on a busy machine. */
const PATIENCE = { timeout: 90_000 }

let folder: string
const started: Running[] = []
// The state after `npm ci`.
beforeAll(bundleProgram)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-process-'))
})
afterEach(async () => {
  for (const { child, exited } of started.splice(0)) {
    child.kill('SIGKILL')
    await exited
  }
  await rm(folder, { recursive: true, force: true })
})

interface Running {
  child: ChildProcess
  exited: Promise<[number | null, string | null]>
  output: () => string
  errors: () => string
}

/** Starts the server program with nothing from this environment but the PATH, optionally as another user. */
function start(env: Record<string, string>, uid?: number): Running {
  const child = spawn(process.execPath, [MAIN], {
    ...(uid === undefined ? { cwd: folder } : { cwd: '/', uid, gid: uid }),
    env: { PATH: process.env.PATH, TROUPE_PLAYGROUND: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  child.stderr.on('data', (piece) => {
    errors += piece
  })
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  const running: Running = { child, exited, output: () => output, errors: () => errors }
  started.push(running)
  return running
}

async function status(url: string): Promise<number> {
  try {
    return (await fetch(url)).status
  } catch {
    return 0
  }
}

async function untilReady(port: number): Promise<void> {
  for (let tries = 0; (await status(`http://127.0.0.1:${port}/readyz`)) !== 200; tries += 1) {
    if (tries > 800) throw new Error('the server did not become ready')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe('a wrong environment', PATIENCE, () => {
  test('is printed as a list and exits with 1', async () => {
    const { exited, errors } = start({ PORT: 'x', REDIS_URL: 'http://x', LIVEKIT_URL: 'b' })
    expect(await exited).toEqual([1, null])
    expect(errors()).toContain('The configuration is not valid:\n  - LIVEKIT_URL is set')
    expect(errors()).toContain('\n  - PORT must be')
    expect(errors()).toContain('\n  - REDIS_URL must be')
    expect(errors()).not.toContain('    at ')
  })

  test('a taken port is reported in one sentence', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { exited, errors } = start({ PORT: String(port), LOG_LEVEL: 'silent' })
    expect(await exited).toEqual([1, null])
    expect(errors()).toBe(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT to a free port.\n`,
    )
    taken.close()
    await once(taken, 'close')
  })
})

describe('an unusable data folder ends the start with an error message and no stack:', PATIENCE, () => {
  /** The last output of a start with this data folder. */
  async function lastWords(directory: string, uid?: number): Promise<string> {
    const { exited, errors } = start(
      { PORT: String(await freePort()), LOG_LEVEL: 'silent', TROUPE_DATA_DIR: directory },
      uid,
    )
    expect(await exited).toEqual([1, null])
    expect(errors()).not.toContain('    at ')
    expect(errors().trim().split('\n')).toHaveLength(1)
    return errors()
  }

  async function makeDatabase(postgresVersion: string): Promise<string> {
    const database = join(folder, 'database', 'pglite')
    await mkdir(database, { recursive: true })
    await writeFile(join(database, 'PG_VERSION'), postgresVersion)
    return database
  }

  test('a file', async () => {
    await writeFile(join(folder, 'file'), '')
    expect(await lastWords(join(folder, 'file'))).toContain('is a file, or lies below one.')
    expect(await lastWords(join(folder, 'file', 'below'))).toContain('is a file, or lies below one.')
  })

  test('a database with missing files', async () => {
    const database = await makeDatabase('18\n')
    expect(await lastWords(folder)).toContain(
      `The embedded database in ${database} does not start: its files are damaged or incomplete`,
    )
  })

  test('a database of another PostgreSQL version', async () => {
    await makeDatabase('19\n')
    expect(await lastWords(folder)).toContain(
      'made by a Troupe with another PostgreSQL (19; this program has 18)',
    )
  })

  test('a full disk', async ({ skip }) => {
    await using disk = await mountSmallDisk(5)
    if (!disk) return skip()
    expect(await lastWords(disk.folder)).toContain(`The disk of the data folder ${disk.folder} is full.`)
  })

  test('a read-only volume', async ({ skip }) => {
    await using disk = await mountSmallDisk(5)
    if (!disk) return skip()
    await run('mount', ['-o', 'remount,ro', disk.folder])
    expect(await lastWords(disk.folder)).toContain(
      `The data folder ${disk.folder} is on a read-only file system.`,
    )
  })

  test('a volume of another user', async ({ skip }) => {
    if (process.getuid?.() !== 0) {
      process.stderr.write('!!! Not proven here: the data folder of another user, which takes root.\n')
      return skip()
    }
    expect(await lastWords(folder, 65_532)).toContain(`This user may not write to the data folder ${folder}`)
    // The folder belongs to this user, its contents do not.
    await mkdir(join(folder, 'database'), { mode: 0o700 })
    await chown(folder, 65_532, 65_532)
    expect(await lastWords(folder, 65_532)).toContain(`This user may not write to the data folder ${folder}`)
  })

  test('a folder used by another server', async () => {
    const port = await freePort()
    const { child } = start({ PORT: String(port), LOG_LEVEL: 'silent', TROUPE_DATA_DIR: folder })
    await untilReady(port)
    expect(await lastWords(folder)).toMatch(
      `Another Troupe process (pid ${child.pid} on host ${hostname()}, since `,
    )
    expect(await status(`http://127.0.0.1:${port}/readyz`)).toBe(200)
  })

  test('an invalid lock file', async () => {
    await mkdir(join(folder, 'database'))
    await writeFile(join(folder, 'database', 'owner.lock'), 'pid 1')
    expect(await lastWords(folder)).toContain(
      `The lock file ${join(folder, 'database', 'owner.lock')} cannot be used`,
    )
  })
})

describe('a running server', PATIENCE, () => {
  // Measures the exit time: a busy machine may be late.
  test('logs unused variables at boot, and exits within two seconds of SIGTERM when idle', {
    retry: 2,
  }, async () => {
    const port = await freePort()
    const { child, exited, output } = start({ PORT: String(port), WORKFLOW_LOOP_ITERATION_CEILING: 'many' })
    await untilReady(port)
    expect(output()).toContain('"msg":"WORKFLOW_LOOP_ITERATION_CEILING is not an integer; ')
    expect(await status(`http://127.0.0.1:${port}/api/v1/agents`)).toBe(401)
    // A connection opened in advance, without a request, does not delay the exit.
    const unused = connect(port, '127.0.0.1').on('error', () => {})
    await once(unused, 'connect')
    const since = Date.now()
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    expect(Date.now() - since).toBeLessThan(2_000)
    expect(output()).toContain(`"msg":"Server listening at http://127.0.0.1:${port}"`)
    expect(output().match(/listening/g)).toHaveLength(1)
    expect(output()).toContain('"msg":"stopping"')
  })

  test('serves its operations surface on the admin port, and exits on SIGINT', async () => {
    const [port, admin] = [await freePort(), await freePort()]
    const { child, exited } = start({
      PORT: String(port),
      TROUPE_ADMIN_PORT: String(admin),
      LOG_LEVEL: 'silent',
    })
    await untilReady(admin)
    expect(await status(`http://127.0.0.1:${port}/readyz`)).toBe(404)
    expect(await status(`http://127.0.0.1:${admin}/metrics`)).toBe(200)
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
  })
})

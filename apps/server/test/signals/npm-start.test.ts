import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { descendants, isAlive, NPM_START, newPlace, REPOSITORY, startIn, streamRun } from './npm-start.ts'
import {
  canIsolate,
  expectNothingLeft,
  expectOrderlyEnd,
  expectOrderlyEndOfFirst,
  expectSecondToEndAtOnce,
  STREAM_MS,
} from './orderly-ends.ts'

const PATIENCE = { timeout: 120_000 }

const hasRunit = spawnSync('sh', ['-c', 'command -v runsv && command -v sv']).status === 0
if (!hasRunit) process.stderr.write('!!! Not proven here: a supervisor. It takes runit.\n')

test(
  'npm start forwards SIGTERM: the stream in flight ends, then the program, with exit code 0',
  PATIENCE,
  () => expectOrderlyEnd('SIGTERM', 'npm'),
)

test('Ctrl-C is one signal, though npm forwards it too', PATIENCE, () =>
  expectOrderlyEnd('SIGINT', 'the process group'),
)

test('a second Ctrl-C ends it immediately', PATIENCE, () => expectSecondToEndAtOnce('the process group'))

test('a killed npm leaves no orphan: the stream in flight ends, then the program', PATIENCE, () =>
  expectOrderlyEnd('SIGHUP', 'npm'),
)

test.skipIf(!canIsolate)('as process 1 npm start exits on SIGTERM like elsewhere', PATIENCE, () =>
  expectOrderlyEndOfFirst('SIGTERM', NPM_START),
)

test('a closed terminal, which cannot be written to, also ends it', PATIENCE, async () => {
  await using place = await newPlace()
  await using terminal = startIn(place, ['script', '--quiet', '--command', NPM_START.join(' '), '/dev/null'])
  const program = await terminal.ready()
  const stream = await streamRun(place, STREAM_MS)
  terminal.parent.kill('SIGKILL')
  expect(await stream.whole).toContain('told to the end')
  await expectNothingLeft(place, program)
})

test('a SIGTERM before it is ready ends it, and the next start works', PATIENCE, async () => {
  await using place = await newPlace()
  {
    await using early = startIn(place, NPM_START)
    const isBegun = () => existsSync(join(place.folder, 'data', 'secret.key'))
    await expect.poll(() => isBegun() || early.parent.exitCode !== null, PATIENCE).toBe(true)
    expect(isBegun(), 'it ended by itself').toBe(true)
    early.parent.kill('SIGTERM')
    await early.exited
    expect(descendants(early.parent.pid ?? 0)).toEqual([])
  }
  await using again = startIn(place, NPM_START)
  await again.ready()
})

test.skipIf(!hasRunit)(
  'a supervisor stops it with its stream ended, restarts it, and replaces a killed npm',
  { timeout: 240_000 },
  async () => {
    await using place = await newPlace()
    const service = join(place.folder, 'service')
    await mkdir(service)
    await writeFile(join(service, 'run'), `#!/bin/sh\ncd "${REPOSITORY}"\nexec ${NPM_START.join(' ')} 2>&1\n`)
    await chmod(join(service, 'run'), 0o755)
    await using supervisor = startIn(place, ['runsv', service])
    const sv = (command: string) =>
      spawnSync('sv', ['-w', '60', command, service], { encoding: 'utf8' }).stdout
    const first = await supervisor.ready()
    const stream = await streamRun(place, STREAM_MS)
    expect(sv('down')).toContain('ok: down')
    expect(await stream.whole).toContain('told to the end')
    await expectNothingLeft(place, first)
    sv('up')
    const second = await supervisor.ready()
    // npm is killed, and the supervisor starts the next one immediately, beside the draining program.
    sv('kill')
    await expect.poll(() => isAlive(second), { timeout: 30_000 }).toBe(false)
    const third = await supervisor.ready()
    expect(new Set([first, second, third]).size).toBe(3)
    expect(sv('down')).toContain('ok: down')
    await expectNothingLeft(place, third)
  },
)

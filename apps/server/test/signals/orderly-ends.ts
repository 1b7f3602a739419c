import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  answers,
  descendants,
  isAlive,
  NPM_START,
  newPlace,
  type Place,
  type Started,
  startIn,
  streamRun,
} from './npm-start.ts'

/** A stream in flight when the signal arrives. */
export const STREAM_MS = 2_500
/** As in a container: the command is process 1. */
const ALONE = ['--pid', '--fork', '--mount-proc', '--kill-child']

/** Whether this user may create a PID namespace; warns if not. */
export const canIsolate = spawnSync('unshare', [...ALONE, 'true']).status === 0
if (!canIsolate) {
  process.stderr.write(
    '!!! Not proven here: signals to process 1. It takes unshare(1) and the right to make a PID namespace.\n',
  )
}

export type Target = 'npm' | 'the process group' | 'the program'

/** The target of `kill`; the command is the leader of its group. */
function pidOf(target: Target, { parent }: Started, program: number): number {
  if (target === 'the program') return program
  return target === 'npm' ? (parent.pid ?? 0) : -(parent.pid ?? 0)
}

/** Asserted after every orderly exit: no process, listener or owner of the folder is left. */
export async function expectNothingLeft(place: Place, program: number): Promise<void> {
  await expect.poll(() => isAlive(program), { timeout: 30_000 }).toBe(false)
  expect(await answers(place.origin)).toBe(false)
  const database = join(place.folder, 'data', 'database')
  expect(existsSync(join(database, 'owner.lock'))).toBe(true)
  expect(existsSync(join(database, 'owner.json')), 'the folder was given back').toBe(false)
}

/** `npm start` gets a signal during a stream: the stream ends, then the program, and nothing is left. */
export async function expectOrderlyEnd(signal: NodeJS.Signals, target: Target): Promise<void> {
  await using place = await newPlace()
  await using started = startIn(place, NPM_START)
  const program = await started.ready()
  const stream = await streamRun(place, STREAM_MS)
  process.kill(pidOf(target, started, program), signal)
  expect(await stream.whole).toContain('told to the end')
  // npm does not handle SIGHUP and exits on it immediately.
  const npmHangsUp = signal === 'SIGHUP' && target !== 'the program'
  expect(await started.exited).toEqual(npmHangsUp ? [null, 'SIGHUP'] : [0, null])
  await expectNothingLeft(place, program)
}

/** `npm start` gets SIGINT during a long stream, and again: it ends at once. */
export async function expectSecondToEndAtOnce(target: Target): Promise<void> {
  await using place = await newPlace()
  await using started = startIn(place, NPM_START)
  const program = await started.ready()
  const to = pidOf(target, started, program)
  await streamRun(place, 30_000)
  process.kill(to, 'SIGINT')
  await expect.poll(started.output).toContain('"msg":"stopping"')
  // After npm has forwarded the first one.
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(isAlive(program), 'it waits for the stream').toBe(true)
  const since = Date.now()
  process.kill(to, 'SIGINT')
  expect((await started.exited)[0]).not.toBe(0)
  expect(isAlive(program)).toBe(false)
  expect(Date.now() - since).toBeLessThan(5_000)
}

/** A command gets a signal as process 1 of a PID namespace, during a stream: the stream ends, and the exit code is 0. */
export async function expectOrderlyEndOfFirst(
  signal: NodeJS.Signals,
  command: readonly string[],
): Promise<void> {
  await using place = await newPlace()
  await using started = startIn(place, ['unshare', ...ALONE, ...command])
  const program = await started.ready()
  const [first = 0] = descendants(started.parent.pid ?? 0)
  const stream = await streamRun(place, STREAM_MS)
  process.kill(first, signal)
  expect(await stream.whole).toContain('told to the end')
  expect(await started.exited).toEqual([0, null])
  await expectNothingLeft(place, program)
}

import { describe, expect, test } from 'vitest'
import { isAlive, NPM_START, newPlace, startIn, streamRun } from './npm-start.ts'
import {
  canIsolate,
  expectNothingLeft,
  expectOrderlyEnd,
  expectOrderlyEndOfFirst,
  expectSecondToEndAtOnce,
  STREAM_MS,
} from './orderly-ends.ts'

const PATIENCE = { timeout: 120_000 }
const MAIN = ['node', 'apps/server/src/main.js']

describe('npm start', PATIENCE, () => {
  test.for([
    ['SIGTERM', 'the process group'],
    ['SIGHUP', 'the process group'],
    ['SIGTERM', 'the program'],
    ['SIGINT', 'the program'],
    ['SIGHUP', 'the program'],
    ['SIGINT', 'npm'],
  ] as const)('%s to %s: the stream in flight ends, then the program, and nothing is left', ([
    signal,
    target,
  ]) => expectOrderlyEnd(signal, target))

  test.for(['npm', 'the program'] as const)(
    'a second SIGINT to %s ends it immediately',
    expectSecondToEndAtOnce,
  )

  test('a SIGKILL to npm leaves no orphan: the program drains and exits', async () => {
    await using place = await newPlace()
    await using started = startIn(place, NPM_START)
    const program = await started.ready()
    const stream = await streamRun(place, STREAM_MS)
    started.parent.kill('SIGKILL')
    expect(await stream.whole).toContain('told to the end')
    await expectNothingLeft(place, program)
    expect(isAlive(program)).toBe(false)
  })
})

describe.skipIf(!canIsolate)('as process 1', PATIENCE, () => {
  test.for([
    ['SIGINT', 'npm start', NPM_START],
    ['SIGTERM', 'the program', MAIN],
    ['SIGINT', 'the program', MAIN],
    ['SIGHUP', 'the program', MAIN],
  ] as const)('%s to %s: the stream in flight ends, and the exit code is 0', ([signal, , command]) =>
    expectOrderlyEndOfFirst(signal, command))
})

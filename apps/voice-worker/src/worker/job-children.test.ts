import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LostJob } from '@troupe/contract/voice-worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChildStatus } from './child-messages.ts'
import { JobChildren } from './job-children.ts'

// A child that sends messages chosen by the test, under the name of LiveKit's job program.
const PROGRAM = `process.on('message', (message) => {
  if (message.tell) process.send(message.tell)
  if (message.case === 'troupeOrder') process.send({ case: 'troupeStatus', endReported: false, job: { sid: 's', state: 'ready', callStatus: message.order, sipCallId: null, callerPresent: false, lastTurnAt: null } })
})`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-children-'))
  await writeFile(join(folder, 'job_proc_lazy_main.cjs'), PROGRAM)
  await writeFile(join(folder, 'other.cjs'), PROGRAM)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const status = (state: 'ready' | 'closing', endReported = false): ChildStatus => ({
  case: 'troupeStatus',
  job: {
    sid: 's',
    attempt: 2,
    state,
    callStatus: null,
    sipCallId: null,
    callerPresent: false,
    lastTurnAt: null,
  },
  endReported,
})
const childOf = (name = 'job_proc_lazy_main.cjs') => fork(join(folder, name))

test('the session of a crashed child is lost, unless its end was reported', async () => {
  const lost: LostJob[] = []
  using children = new JobChildren((job) => lost.push(job))
  const [dies, ends] = [childOf(), childOf()]
  dies.send({ tell: status('ready') })
  await expect.poll(() => children.jobs.length).toBe(1)
  dies.kill('SIGKILL')
  await expect.poll(() => lost).toEqual([{ sid: 's', attempt: 2 }])
  ends.send({ tell: status('closing', true) })
  await once(ends, 'message')
  ends.kill('SIGKILL')
  await once(ends, 'exit')
  expect(lost).toHaveLength(1)
})

test('a child that outlives its job is killed', async () => {
  using _ = new JobChildren(() => {}, 50)
  const child = childOf()
  child.send({ tell: status('closing', true) })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
})

test('an order reaches the child of the session', async () => {
  using children = new JobChildren(() => {}, 60_000)
  const child = childOf()
  child.send({ tell: status('ready') })
  await expect.poll(() => children.jobs.length).toBe(1)
  expect(children.order('unknown', 'end')).toBe(false)
  expect(children.order('s', 'hand_over')).toBe(true)
  await expect.poll(() => children.jobs[0]?.callStatus).toBe('hand_over')
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test('other children of the process are left alone', async () => {
  using children = new JobChildren(() => {})
  const other = childOf('other.cjs')
  other.send({ tell: status('ready') })
  await once(other, 'message')
  expect(children.jobs).toEqual([])
  other.kill('SIGKILL')
  await once(other, 'exit')
})

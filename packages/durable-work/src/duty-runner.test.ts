import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Duty, DutyRunner, type Round } from './duty-runner.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setUp() {
  const done: string[] = []
  const failures: string[] = []
  const duty = (every: Round, task: string): Duty => ({ every, task, work: async () => void done.push(task) })
  const fails: Duty = { every: 'watchdog', task: 'fails', work: () => Promise.reject(new Error('no')) }
  const duties = [fails, duty('watchdog', 'sweep'), duty('minute', 'budgets'), duty('retention', 'erase')]
  const runner = new DutyRunner(duties, { backgroundFailed: (task) => void failures.push(task) })
  return { runner, done, failures }
}

test('a round performs its duties in order, and a failed one does not stop the others', async () => {
  const { runner, done, failures } = setUp()
  await runner.perform('watchdog')
  expect([done, failures]).toEqual([['sweep'], ['fails']])
})

test('the watchdog starts immediately and repeats every ten seconds, the other rounds after their interval', async () => {
  const { runner, done } = setUp()
  runner.start()
  await vi.advanceTimersByTimeAsync(0)
  expect(done).toEqual(['sweep'])
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  const times = (task: string) => done.filter((one) => one === task).length
  expect(['sweep', 'budgets', 'erase'].map(times)).toEqual([61, 10, 1])
  runner[Symbol.dispose]()
  expect(vi.getTimerCount()).toBe(0)
})

import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isStartedByNpm, listenForStops } from './stop-signals.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function program(byNpm: boolean) {
  const signals = Object.assign(new EventEmitter(), { ppid: 10 })
  const stops: string[] = []
  listenForStops(signals, (signal) => stops.push(signal), { byNpm })
  return { signals, stops }
}

describe('under npm', () => {
  test('a signal to the process group is one, and the next one is a second', () => {
    const { signals, stops } = program(true)
    signals.emit('SIGINT')
    vi.advanceTimersByTime(30)
    signals.emit('SIGINT')
    expect(stops).toEqual(['SIGINT'])
    // A user who presses Ctrl-C twice does so quickly.
    signals.emit('SIGINT')
    signals.emit('SIGINT')
    expect(stops).toEqual(['SIGINT', 'SIGINT'])
  })

  test('a signal to one process only is counted each time', () => {
    const { signals, stops } = program(true)
    signals.emit('SIGTERM')
    vi.advanceTimersByTime(400)
    signals.emit('SIGTERM')
    vi.advanceTimersByTime(400)
    signals.emit('SIGINT')
    expect(stops).toEqual(['SIGTERM', 'SIGTERM', 'SIGINT'])
  })

  test('the end of npm is a hang-up, unless the process was asked to stop before', () => {
    const orphan = program(true)
    vi.advanceTimersByTime(2_000)
    expect(orphan.stops).toEqual([])
    orphan.signals.ppid = 1
    vi.advanceTimersByTime(2_000)
    expect(orphan.stops).toEqual(['SIGHUP'])
    const stopping = program(true)
    stopping.signals.emit('SIGHUP')
    stopping.signals.ppid = 1
    vi.advanceTimersByTime(2_000)
    expect(stopping.stops).toEqual(['SIGHUP'])
  })
})

test('without npm every signal counts, and a parent may end: the process was left running on purpose', () => {
  const { signals, stops } = program(false)
  signals.emit('SIGINT')
  signals.emit('SIGINT')
  signals.ppid = 1
  vi.advanceTimersByTime(2_000)
  expect(stops).toEqual(['SIGINT', 'SIGINT'])
})

test('processes left running by another npm script are not bound to npm', () => {
  expect(isStartedByNpm({ npm_lifecycle_event: 'start' })).toBe(true)
  expect(isStartedByNpm({ npm_lifecycle_event: 'start:voice-worker' })).toBe(true)
  expect(isStartedByNpm({ npm_lifecycle_event: 'startle' })).toBe(false)
  expect(isStartedByNpm({ npm_lifecycle_event: 'deploy' })).toBe(false)
  expect(isStartedByNpm({})).toBe(false)
})

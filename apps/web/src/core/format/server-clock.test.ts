import { afterEach, expect, test } from 'vitest'
import { noteServerTime, serverNow } from './server-clock.ts'
import { relativeTime } from './times.ts'

const agree = () => noteServerTime(new Date().toUTCString(), Date.now())
afterEach(agree)

test('a browser whose clock is ten minutes off shows times by the clock of the server', () => {
  const server = Date.now() + 600_000
  noteServerTime(new Date(server).toUTCString(), Date.now())
  expect(relativeTime(new Date(server - 180_000).toISOString(), serverNow())).toBe('3 minutes ago')
  agree()
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(1_000)
})

test('seconds between the clocks, and answers that name no time, change nothing', () => {
  noteServerTime(new Date(Date.now() + 20_000).toUTCString(), Date.now())
  noteServerTime(null, Date.now())
  noteServerTime('soon', Date.now())
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(1_000)
})

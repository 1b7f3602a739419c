import { afterEach, expect, test, vi } from 'vitest'
import { quietNativeLogs } from './env.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('the audio library is told to keep what is said out of its logs, unless the environment says otherwise', () => {
  vi.stubEnv('NODE_ENV', undefined)
  quietNativeLogs()
  expect(process.env.NODE_ENV).toBe('production')
  vi.stubEnv('NODE_ENV', 'development')
  quietNativeLogs()
  expect(process.env.NODE_ENV).toBe('development')
})

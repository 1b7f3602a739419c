import { afterEach, expect, test, vi } from 'vitest'
import { quietNativeLogs } from './env.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('the audio library keeps conversations out of its logs, unless the environment configures it otherwise', () => {
  vi.stubEnv('NODE_ENV', undefined)
  quietNativeLogs()
  expect(process.env.NODE_ENV).toBe('production')
  vi.stubEnv('NODE_ENV', 'development')
  quietNativeLogs()
  expect(process.env.NODE_ENV).toBe('development')
})

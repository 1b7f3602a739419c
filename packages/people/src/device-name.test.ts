import { expect, test } from 'vitest'
import { deviceName } from './device-name.ts'

test.for([
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome on macOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
] as const)('a browser and its system are detected by %s', ([agent, name]) => {
  expect(deviceName(agent)).toBe(name)
})

test('a missing, an empty and a non-browser user agent have no name', () => {
  expect([null, ' ', 'x'.repeat(501)].map(deviceName)).toEqual([null, null, null])
})

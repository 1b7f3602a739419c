import { expect, test } from 'vitest'
import { resolveText, resolveValue } from './resolve.ts'

const scope = {
  trigger: { text: 'x'.repeat(900_000), list: Array.from({ length: 200_000 }, () => 1) },
  upstream: () => ({ ok: true as const, value: null }),
  variables: new Map(),
  loop: null,
}

// Measured before the limit: 15 s, and `Invalid string length` for a thousand texts.
test.for([
  '{{ trigger.text }}',
  '{{ trigger.list }}',
])('a field with a thousand %s is refused quickly', (token) => {
  const before = process.threadCpuUsage()
  const tokens = Array.from({ length: 1_000 }, () => token)
  for (const resolved of [resolveText(tokens.join(' '), scope), resolveValue(tokens, scope)]) {
    expect(resolved).toEqual({
      ok: false,
      error: expect.stringMatching(/^is at least 4\.\d MB, more than the 1 MB of a field$/),
    })
  }
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000)
})

import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ThrowsPromise } from '@livekit/throws-transformer/throws'
import { expect, test } from 'vitest'
import { useLeakFreeRaces } from './leak-free-races.ts'

useLeakFreeRaces()
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('a race has the result of the first promise to settle, including for a rejection and a plain value', async () => {
  const never = new Promise(() => {})
  expect(await ThrowsPromise.race([never, Promise.resolve('first')])).toBe('first')
  expect(await ThrowsPromise.race([never, 'plain'])).toBe('plain')
  await expect(ThrowsPromise.race([never, Promise.reject(new Error('lost'))])).rejects.toThrow('lost')
})

test('a promise that outlives many races does not retain their winners', async () => {
  const session = new Promise(() => {})
  const frames: WeakRef<object>[] = []
  for (let at = 0; at < 200; at += 1) {
    const frame = { at }
    frames.push(new WeakRef(frame))
    await ThrowsPromise.race([Promise.resolve(frame), session])
  }
  await turn()
  collectGarbage()
  // The last ones may still be on the stack.
  expect(frames.filter((frame) => frame.deref() !== undefined).length).toBeLessThan(10)
  expect(session).toBeInstanceOf(Promise)
})

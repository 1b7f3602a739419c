import type { Clock } from '@troupe/agents/ports'

/** Resolves after `ms`; rejects with the signal's reason, unchanged, as soon as it aborts. */
export function sleep(
  clock: Pick<Clock, 'schedule'>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.schedule(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

import { setImmediate } from 'node:timers/promises'
import type { Steps } from '@troupe/graph'

const SLICE_MS = 20

/** Does the work on the event loop in slices of about 20 ms, so that other requests are served in between. */
export async function inSlices<T>(work: Steps<T>): Promise<T> {
  let endsAt = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < endsAt) continue
    await setImmediate()
    endsAt = performance.now() + SLICE_MS
  }
}

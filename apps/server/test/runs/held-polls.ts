import type { TestServer } from '@troupe/test-kit/server'
import { vi } from 'vitest'

/** Part of a call that the model server has received. */
interface OpenCall {
  request: { aborted: Promise<unknown> }
}

/**
 * Holds the servers' polls for ended runs, one a second, until `work` is done. Nothing else is delayed: a write that
 * finds its run cancelled, a timeout of the call and a disconnecting caller end a call as before. A measured time would
 * prove less, because it depends on the load of the machine.
 */
export async function withoutPolls<T>(servers: readonly TestServer[], work: () => Promise<T>): Promise<T> {
  const held = Promise.withResolvers<void>()
  const databases = new Set(servers.map(({ context }) => context.database))
  const spies = [...databases].flatMap(({ jobs, workflowRuns }) => [hold(jobs), hold(workflowRuns)])
  try {
    return await work()
  } finally {
    held.resolve()
    for (const spy of spies) spy.mockRestore()
  }

  function hold<Ids extends unknown[], Ended>(store: { ended: (...args: Ids) => Promise<Ended> }) {
    const ended = store.ended.bind(store)
    return vi.spyOn(store, 'ended').mockImplementation(async (...args) => {
      await held.promise
      return ended(...args)
    })
  }
}

/**
 * Cancels, and resolves when the sockets of all these calls are closed, with the polls held. It proves that the signal closed them
 * only if the model server never responds and their timeout is longer than the test.
 */
export async function closedBySignal<T>(
  servers: readonly TestServer[],
  open: readonly OpenCall[],
  cancel: () => Promise<T>,
): Promise<T> {
  return withoutPolls(servers, async () => {
    const answer = await cancel()
    await Promise.all(open.map(({ request }) => request.aborted))
    return answer
  })
}

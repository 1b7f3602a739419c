import { afterAll, expect, vi } from 'vitest'

/** Kinds of handles that a test file must have closed after its last hook. */
const OWNED = new Set(['TCPServerWrap', 'PipeServerWrap', 'ProcessWrap', 'FSEventWrap'])

function owned(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => OWNED.has(kind))
}

const before = owned().length

/** How long a server or a child process may take to end after its stop, in milliseconds. */
const GRACE_MS = 2_000

// Registered before any hook of the test file, so it runs after all of them.
afterAll(async () => {
  // The next file runs in the same process.
  vi.useRealTimers()
  const giveUpAt = Date.now() + GRACE_MS
  while (owned().length > before && Date.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect(
    owned().slice(before),
    'whatever a test starts, it stops: servers and child processes still open',
  ).toEqual([])
})

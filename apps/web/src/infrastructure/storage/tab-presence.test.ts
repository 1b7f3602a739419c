import { expect, test } from 'vitest'
import { TabPresence } from './tab-presence.ts'

// Locks and channels are Node's, which follow the browser standards: two presences of one process are two tabs, of which the second
// one has copied the id of the first.
const { locks } = navigator

test('a copied tab gets a new id, and nothing is taken over from a living tab', async () => {
  const first = new TabPresence('copied', { locks, channel: null })
  const own = await first.id
  const second = new TabPresence('copied', { locks, channel: null })
  expect(await second.id).not.toBe(own)
  let hasRun = false
  const work = async () => {
    hasRun = true
  }
  expect(await second.whenGone(own, work)).toBe(false)
  expect(hasRun).toBe(false)
  expect(await second.whenGone('a tab of yesterday', work)).toBe(true)
  expect(hasRun).toBe(true)
})

test('without locks, as over plain http, tabs report that they are alive', async () => {
  const channels = [new BroadcastChannel('plain'), new BroadcastChannel('plain')] as const
  const first = new TabPresence('plain', { locks: undefined, channel: channels[0] })
  const own = await first.id
  const second = new TabPresence('plain', { locks: undefined, channel: channels[1] })
  expect(await second.id).not.toBe(own)
  expect(await second.whenGone(own, () => Promise.resolve())).toBe(false)
  expect(await second.whenGone('a tab of yesterday', () => Promise.resolve())).toBe(true)
  for (const channel of channels) channel.close()
})

test('if liveness is unknown, nothing is taken over', async () => {
  const alone = new TabPresence('alone', { locks: undefined, channel: null })
  await alone.id
  expect(await alone.whenGone('another tab', () => Promise.resolve())).toBe(false)
})

import { expect, test, vi } from 'vitest'
import type { ListedTools } from './listed-tools.ts'
import { McpUnavailable } from './mcp-endpoint.ts'
import { ToolLists } from './tool-lists.ts'

/** A list with definitions of this many characters in total. */
function listOf(characters: number): ListedTools {
  const definition = { name: 'a', fingerprint: 'f', definition: 'x'.repeat(characters) }
  return { tools: [{ name: 'a', description: '', inputSchema: {}, definition }], leftOut: [], gaps: [] }
}

function setting() {
  let now = 0
  const lists = new ToolLists({ now: () => now })
  let loads = 0
  return {
    lists,
    wait: (ms: number) => (now += ms),
    /** Reads the list of an owner for one value of a header; true if it was cached. */
    async isKept(owner: string, value: number, list = listOf(100_000)) {
      const before = loads
      await lists.of(
        owner,
        { url: 'https://mcp.test', headers: { n: String(value) }, secrets: [] },
        async () => {
          loads += 1
          return list
        },
      )
      return loads === before
    },
  }
}

test('lists of many headers have a budget: the oldest of the same organization are evicted', async () => {
  const { lists, isKept } = setting()
  await isKept('other', 0)
  for (let value = 0; value < 200; value += 1) await isKept('hostile', value)
  expect(lists.bytes).toBeLessThan(40 * 1024 * 1024)
  expect(await isKept('hostile', 199)).toBe(true)
  expect(await isKept('hostile', 0)).toBe(false)
  expect(await isKept('other', 0)).toBe(true)
})

test('small lists and unreachable servers are also limited', async () => {
  const { lists, isKept } = setting()
  for (let value = 0; value < 5_000; value += 1) await isKept('hostile', value, listOf(0))
  expect(lists.bytes).toBeLessThanOrEqual(32 * 1024 * 1024)
  for (let value = 0; value < 5_000; value += 1) {
    const endpoint = { url: 'https://mcp.test', headers: { n: `dead ${value}` }, secrets: [] }
    const dead = lists.of('hostile', endpoint, () => Promise.reject(new McpUnavailable('It is dead.')))
    await expect(dead).rejects.toThrow('It is dead.')
  }
  expect(lists.bytes).toBeLessThanOrEqual(32 * 1024 * 1024)
})

test('many organizations share one budget, and those with few lists keep them', async () => {
  const { lists, isKept } = setting()
  await isKept('modest', 0)
  for (const owner of ['a', 'b', 'c', 'd']) {
    for (let value = 0; value < 20; value += 1) await isKept(owner, value)
  }
  expect(lists.bytes).toBeLessThanOrEqual(64 * 1024 * 1024)
  expect(await isKept('modest', 0)).toBe(true)
})

test('a list of maximum size is kept, and one that is read again counts once', async () => {
  const { lists, isKept, wait } = setting()
  await isKept('a', 0, listOf(1_000_000))
  const { bytes } = lists
  expect(await isKept('a', 0)).toBe(true)
  wait(5 * 60_000)
  expect(await isKept('a', 0, listOf(1_000_000))).toBe(false)
  expect(lists.bytes).toBe(bytes)
})

test('lists without readers are freed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const { lists, isKept, wait } = setting()
    for (let value = 0; value < 10; value += 1) await isKept('a', value)
    wait(5 * 60_000)
    vi.advanceTimersByTime(5 * 60_000)
    expect(lists.bytes).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

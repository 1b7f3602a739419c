import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { McpConnection } from './mcp-connection.ts'
import { type HostileServer, listed, startHostileServer } from './testing/hostile-server.ts'

// The rules come from https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination: a list ends
// with the page that has no cursor, and a cursor is an arbitrary text of the server.

let server: HostileServer
beforeAll(async () => {
  server = await startHostileServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  server.asked.length = 0
})

async function list() {
  await using connection = new McpConnection({ url: server.url, headers: {}, secrets: [] }, globalThis.fetch)
  const { tools, gaps } = await connection.list(new AbortController().signal)
  return {
    names: tools.map(({ name }) => name),
    gaps,
    pages: server.asked.filter((name) => name === 'tools/list').length,
  }
}

/** Responds with these pages in sequence, and then repeats the last one. */
function pages(...all: object[]) {
  let page = 0
  const cursors: unknown[] = []
  server.on['tools/list'] = ({ params }) => {
    cursors.push(params?.cursor)
    const answer = all[Math.min(page, all.length - 1)]
    page += 1
    return answer
  }
  return cursors
}
const page = (name: string, more: object = {}) => ({ tools: [listed(name)], ...more })

test('every page is requested with the cursor of the previous one', async () => {
  const cursors = pages(page('a', { nextCursor: 'x' }), page('b', { nextCursor: ' ' }), page('c'))
  expect(await list()).toEqual({ names: ['a', 'b', 'c'], gaps: [], pages: 3 })
  expect(cursors).toEqual([undefined, 'x', ' '])
})

// https://github.com/Hmbown/Codewhale/pull/5336
test('a cursor of null is none', async () => {
  pages(page('a', { nextCursor: null }))
  expect(await list()).toEqual({ names: ['a'], gaps: [], pages: 1 })
})

describe('an empty cursor', () => {
  // https://github.com/PrefectHQ/fastmcp/issues/5025
  test('is a cursor for a server with more pages', async () => {
    const cursors = pages(page('a', { nextCursor: '' }), page('b'))
    expect(await list()).toEqual({ names: ['a', 'b'], gaps: [], pages: 2 })
    expect(cursors).toEqual([undefined, ''])
  })

  // https://github.com/modelcontextprotocol/java-sdk/issues/628
  test('is the end for a server that then repeats the same page', async () => {
    pages(page('a', { nextCursor: '' }))
    expect(await list()).toEqual({ names: ['a'], gaps: [], pages: 2 })
  })

  test('is the end for a server that refuses it', async () => {
    server.on['tools/list'] = ({ id, params }, response) => {
      if (params?.cursor === undefined) return page('a', { nextCursor: '' })
      const error = { code: -32602, message: 'Invalid cursor' }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
      return undefined
    }
    expect(await list()).toEqual({ names: ['a'], gaps: [], pages: 2 })
  })
})

describe('the unread rest of a list is reported', () => {
  // https://github.com/DeusData/codebase-memory-mcp/issues/1247
  test('for a page that repeats with its cursor, whose tools are not listed twice', async () => {
    pages(page('a', { nextCursor: 'x' }))
    expect(await list()).toEqual({
      names: ['a'],
      gaps: ['It returned the cursor of an earlier page, so its list may be incomplete.'],
      pages: 2,
    })
  })

  test('for a repeated cursor, immediately', async () => {
    pages(page('a', { nextCursor: 'x' }), page('b', { nextCursor: 'y' }), page('c', { nextCursor: 'x' }))
    expect(await list()).toEqual({
      names: ['a', 'b', 'c'],
      gaps: ['It returned the cursor of an earlier page, so its list may be incomplete.'],
      pages: 3,
    })
  })

  test('for more than 20 pages', async () => {
    pages(...Array.from({ length: 25 }, (_, at) => page(`t${at}`, { nextCursor: String(at) })))
    const found = await list()
    expect([found.names.length, found.pages]).toEqual([20, 20])
    expect(found.gaps).toEqual(['Its list has more than 20 pages, and later ones are not read.'])
  })

  test('for more than 256 tools', async () => {
    const many = (count: number, from = 0) => ({
      tools: Array.from({ length: count }, (_, at) => listed(`t${from + at}`)),
    })
    pages({ ...many(200), nextCursor: 'x' }, { ...many(57, 200), nextCursor: 'y' })
    const found = await list()
    expect([found.names.length, found.pages]).toEqual([256, 2])
    expect(found.gaps).toEqual(['It lists more than 256 tools, and later ones are not read.'])
    pages({ ...many(256), nextCursor: 'x' }, many(256))
    expect(await list()).toMatchObject({ gaps: [] })
  })

  test.each([
    ['a number', 7, 'is not a text'],
    ['an object', {}, 'is not a text'],
    ['a long text', 'x'.repeat(20_000), 'has more than 10000 characters'],
  ])('for a cursor that is %s', async (_, nextCursor, what) => {
    pages(page('a', { nextCursor }))
    expect(await list()).toEqual({
      names: ['a'],
      gaps: [`The cursor of its next page ${what}, so later tools are not read.`],
      pages: 1,
    })
  })
})

test.each([
  ['null', null],
  ['no tools', {}],
  ['tools that are no list', { tools: {} }],
])('an answer of %s is not a list', async (_, answer) => {
  server.on['tools/list'] = () => answer
  await expect(list()).rejects.toThrow('Its answer has no list of tools.')
})

import { expect, test } from 'vitest'
import { toolSummary, toolTitle } from './tool-kinds.ts'

const head = (tool: object, server?: Parameters<typeof toolTitle>[1]) => [
  toolTitle(tool, server),
  toolSummary(tool, server),
]

test('an MCP tool is called as its server, with how many of its tools the agent gets', () => {
  const server = { name: 'Tickets', tools: ['open', 'close', 'find'] }
  const tool = { type: 'mcp', server_id: 'x' }
  expect(head(tool, server)).toEqual(['Tickets', '3 tools'])
  expect(head({ ...tool, allow: ['open', 'close', 'gone'], deny: ['close'] }, server)).toEqual([
    'Tickets',
    '1 of 3 tools',
  ])
  expect(head({ ...tool, name: 'desk' }, server)[0]).toBe('desk')
})

test('an MCP tool by its address is called as the host; one without any, as its kind', () => {
  const url = 'https://tools.example/mcp'
  expect(head({ type: 'mcp', url })).toEqual(['tools.example', url])
  expect(head({ type: 'mcp', url: 'https://' })).toEqual(['MCP server', 'https://'])
  expect(head({ type: 'mcp' })[0]).toBe('MCP server')
})

test('a tool of another kind is called by its name', () => {
  expect(head({ type: 'http', name: 'orders', method: 'GET', url: 'https://shop.example/' })).toEqual([
    'orders',
    'GET https://shop.example/',
  ])
  expect(toolTitle({ type: 'http', name: '' })).toBe('Unnamed')
})

import { expect, test } from 'vitest'
import { standingHostFault } from './host-fault.ts'

const sent = ['api.example', 'http:x', 'a b']
const faults = [
  { path: 'name', message: 'is required' },
  { path: 'hosts.1', message: 'must be a host name' },
  { path: 'hosts.2', message: 'must be a host name' },
]

test('an error of a host names it, at its current position', () => {
  expect(standingHostFault(faults, sent, sent)).toEqual({ host: 'http:x', message: 'must be a host name' })
  expect(standingHostFault(faults, sent, ['a b', 'http:x'])?.host).toBe('http:x')
})

test('an error disappears with its host, and the next one is shown', () => {
  expect(standingHostFault(faults, sent, ['api.example', 'a b'])?.host).toBe('a b')
  expect(standingHostFault(faults, sent, ['api.example'])).toBe(null)
})

test('an error of all hosts is kept until they are changed', () => {
  const ofAll = [{ path: 'hosts', message: 'must cover the host of the MCP server CRM' }]
  expect(standingHostFault(ofAll, sent, sent)).toEqual({ host: null, message: ofAll[0]?.message })
  expect(standingHostFault(ofAll, sent, [...sent, 'crm.example'])).toBe(null)
})

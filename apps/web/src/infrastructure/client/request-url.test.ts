import { expect, test } from 'vitest'
import { requestUrl } from './request-url.ts'

const PATH = '/api/builder/v1/organizations/{organizationId}/agents/{agentId}'

test('ids are escaped, lists are joined by comma, empty values are omitted', () => {
  const url = requestUrl(PATH, 'acme', {
    params: { agentId: 'a/b' },
    query: { status: ['failed', 'timeout'], q: '', after: undefined, limit: 20 },
  })
  expect(url).toBe('/api/builder/v1/organizations/acme/agents/a%2Fb?status=failed%2Ctimeout&limit=20')
})

test.for([
  '',
  '.',
  '..',
  undefined,
])('the id "%s" is refused, because it would address another route', (agentId) => {
  expect(() => requestUrl(PATH, 'acme', { params: { agentId } })).toThrow(TypeError)
})

import { expect, test } from 'vitest'
import { pageSubject } from './page-subject.ts'
import { organizationPaths } from './paths.ts'

const ID = '6f0e0000-0000-4000-8000-000000000001'
const paths = organizationPaths('acme')
const pathOf = (href: string) => href.split('?')[0] ?? ''

test('the page of a resource is about that resource, and is exported by its id', () => {
  expect(pageSubject(pathOf(paths.agent(ID, 'versions')))).toEqual({
    operation: 'getAgent',
    params: { agentId: ID },
    include: `agent:${ID}`,
  })
  expect(pageSubject(paths.model(ID))?.include).toBe(`llm_configuration:${ID}`)
  expect(pageSubject(paths.run(ID))).toEqual({ operation: 'getRun', params: { runId: ID }, include: null })
})

test('a list is about its list, and a page about nothing stored has no subject', () => {
  expect(pageSubject(paths.home)).toEqual({ operation: 'getHome', params: {}, include: null })
  expect(pageSubject(paths.settings('members'))?.operation).toBe('listMembers')
  expect(pageSubject(pathOf(paths.newModel('openai')))).toBeNull()
  expect(pageSubject(paths.settings('api'))).toBeNull()
  expect(pageSubject('/o/acme/nowhere')).toBeNull()
})

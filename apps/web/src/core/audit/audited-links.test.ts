import { expect, test } from 'vitest'
import { organizationPaths } from '../url/paths.ts'
import { decidedIn, entityLink } from './audited-links.ts'

const paths = organizationPaths('acme')
const changed = (kind: string, action = `${kind}.updated`) => ({
  action,
  entity: { kind, id: 'one', name: null },
})

test.for([
  ['review', 'review.approved', '/o/acme/reviews/one'],
  ['approval', 'approval.denied', '/o/acme/reviews?approval=one'],
  ['agent', 'agent.updated', '/o/acme/agents/one'],
  ['workflow', 'workflow.deleted', '/o/acme/workflows/one'],
  ['agent', 'agent.deleted', null],
  ['upload', 'upload.deleted', null],
  ['of a later version', 'later.updated', null],
] as const)('a change of a %s by %s links to %s', ([kind, action, path]) => {
  expect(entityLink(changed(kind, action), paths)).toBe(path)
})

test('a decision links to its run and its workflow, other changes to neither', () => {
  const after = { runId: 'run', workflowId: 'flow', workflowName: 'Refunds' }
  const { entity } = changed('review')
  expect(decidedIn({ entity, after }, paths)).toEqual({
    run: '/o/acme/runs/run',
    workflow: { name: 'Refunds', href: '/o/acme/workflows/flow' },
  })
  // An approval of a tool call, and a decision of an earlier version.
  expect(decidedIn({ entity, after: { runId: 'run' } }, paths)).toMatchObject({ workflow: null })
  const none = { run: null, workflow: null }
  expect(decidedIn({ entity: changed('session').entity, after }, paths)).toEqual(none)
  expect(decidedIn({ entity, after: null }, paths)).toEqual(none)
})

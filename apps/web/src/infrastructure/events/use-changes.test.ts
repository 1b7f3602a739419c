import { AUDITED_KINDS } from '@troupe/contract'
import { expect, test } from 'vitest'
import { OPERATION_TABLE } from '../client/operation-rows.ts'
import { concerns } from './use-changes.ts'

/** Shown by no list of the builder except the audit log. */
const UNLISTED = new Set(['playground'])

test.for(
  AUDITED_KINDS.filter((kind) => !UNLISTED.has(kind)),
)('a change of a %s refetches a list of the builder', (kind) => {
  const asked = Object.keys(OPERATION_TABLE).filter((name) =>
    concerns(kind.replaceAll('_', '').toLowerCase(), name),
  )
  expect(asked.filter((name) => /^(list|get)/.test(name) && name !== 'listAudit')).not.toEqual([])
})

test.for(AUDITED_KINDS)('a change of a %s refetches the audit log and an open bundle', (kind) => {
  const changed = kind.replaceAll('_', '').toLowerCase()
  expect([concerns(changed, 'listAudit'), concerns(changed, 'exportOrganizationBundle')]).toEqual([
    true,
    true,
  ])
})

test.for([
  { kind: 'team', operations: ['getAgent', 'listAgents'] },
  { kind: 'workflow', operations: ['getAgent', 'listAgents', 'getTeam', 'listTeams'] },
  { kind: 'agent', operations: ['getAgent', 'listAgents', 'getTeam', 'listTeams'] },
])('a change of a $kind refetches the lists of its uses', ({ kind, operations }) => {
  expect(operations.filter((operation) => !concerns(kind, operation))).toEqual([])
})

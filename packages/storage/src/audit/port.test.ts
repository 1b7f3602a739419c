import { expect, test } from 'vitest'
import type { AuditEntry } from './port.ts'

test('an entry with a kind or an action that cannot be filtered by does not compile', () => {
  const entry: Pick<AuditEntry, 'action' | 'entityKind'> = { action: 'agent.created', entityKind: 'agent' }
  // @ts-expect-error: a kind must be in AUDIT_ACTIONS, from which the filters of the audit page are built.
  const kind: AuditEntry['entityKind'] = 'spaceship'
  // @ts-expect-error: an action must be in AUDIT_ACTIONS.
  const action: AuditEntry['action'] = 'agent.launched'
  expect([entry.entityKind, kind, action]).toEqual(['agent', 'spaceship', 'agent.launched'])
})

import { AUDITED_KINDS } from '@troupe/contract'
import { expect, test } from 'vitest'
import { auditWords } from '../messages/en/settings/audit.ts'
import { readParams } from '../url/search-params.ts'
import { AUDIT_PARAMS, auditActionsOf, auditQuery, fittingFilters, WHOLE_AUDIT_LOG } from './audit-filter.ts'

const ID = '0b3f8f0e-6a5c-4f0e-9a53-3c5f6f0d1f11'
const read = (search: string) => readParams(AUDIT_PARAMS, new URLSearchParams(search))
const moment = (day: string) => new Date(`${day}T00:00:00`).toISOString()

test('every kind of the log can be filtered, has a name and at least one action', () => {
  for (const kind of AUDITED_KINDS) {
    expect(auditQuery(read(`kind=${kind}`))).toEqual({ entityKind: kind })
    expect(auditWords.kinds[kind]).toMatch(/^[A-Z]/)
    expect(auditActionsOf(kind)).not.toHaveLength(0)
  }
  expect(new Set(Object.values(auditWords.kinds)).size).toBe(AUDITED_KINDS.length)
})

test('a URL filters by kind, actor, action and whole days', () => {
  const search = `kind=agent&actor=${ID}&action=agent.updated&from=2026-10-31&to=2026-11-01`
  expect(auditQuery(read(search))).toEqual({
    entityKind: 'agent',
    actorId: ID,
    action: 'agent.updated',
    from: moment('2026-10-31'),
    to: moment('2026-11-02'),
  })
})

test.each([
  'kind=nonsense',
  'actor=nonsense',
  'action=agent.',
  'action=toString',
  'from=2026-02-30',
  'from=0002-01-01&to=yesterday',
  'to=2026-1-1',
])('invalid parameters in the URL fall back: %s', (search) => {
  expect(read(search)).toEqual(WHOLE_AUDIT_LOG)
  expect(auditQuery(read(search))).toEqual({})
})

test('an action that the kind does not know is omitted, and turned days are turned back', () => {
  expect(auditQuery(read('kind=team&action=agent.updated'))).toEqual({ entityKind: 'team' })
  expect(fittingFilters(read('from=2026-11-23&to=2026-11-01'))).toMatchObject({
    from: '2026-11-01',
    to: '2026-11-23',
  })
})

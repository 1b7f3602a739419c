import { AUDITED_KINDS } from '@troupe/contract'
import { expect, test } from 'vitest'
import { OPERATION_TABLE } from '../client/operation-table.ts'
import { concerns } from './use-changes.ts'

/** What no list of the builder shows. */
const UNLISTED = new Set(['playground'])

test.for(
  AUDITED_KINDS.filter((kind) => !UNLISTED.has(kind)),
)('a change of a %s asks a list of the builder again', (kind) => {
  const asked = Object.keys(OPERATION_TABLE).filter((name) =>
    concerns(kind.replaceAll('_', '').toLowerCase(), name),
  )
  expect(asked.filter((name) => /^(list|get)/.test(name))).not.toEqual([])
})

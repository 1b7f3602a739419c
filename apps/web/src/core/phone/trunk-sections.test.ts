import { expect, test } from 'vitest'
import { changedTrunkSections } from './trunk-sections.ts'

test('a section with an unsaved field is changed, and a new password belongs to the connection', () => {
  expect(changedTrunkSections({}, false)).toEqual([])
  expect(changedTrunkSections({ slug: 'carrier', maxCallS: 600, quietHours: null }, false)).toEqual([
    'limits',
    'advanced',
  ])
  expect(changedTrunkSections({ slug: 'carrier' }, true)).toEqual(['connection', 'advanced'])
})

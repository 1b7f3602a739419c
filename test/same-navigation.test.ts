import { expect, test } from 'vitest'
import { shellWords } from '../apps/web/src/core/messages/en/shell.ts'
import { BUILDER_NAVIGATION } from '../packages/server-html/src/people/builder-navigation.ts'

test('the navigation beside pages of the server has the words of the builder, but those of voice', () => {
  const { voice, phone, ...nav } = shellWords.nav
  const entries = BUILDER_NAVIGATION.flatMap((group) => group.entries)
  expect(entries.map(({ label }) => label).sort()).toEqual(Object.values(nav).sort())
  expect(BUILDER_NAVIGATION.map(({ title }) => title)).toEqual([null, shellWords.build, shellWords.operate])
})

import { expect, test } from 'vitest'
import { shellWords } from '../apps/web/src/core/messages/en/shell.ts'
import { organizationPaths } from '../apps/web/src/core/url/paths.ts'
import { BUILDER_NAVIGATION } from '../packages/server-html/src/people/builder-navigation.ts'

const { nav, build, voiceAndPhone, operate } = shellWords
const paths = organizationPaths('acme')

test('the navigation beside pages of the server has the groups, words and addresses of the builder', () => {
  const entries = (group: (typeof BUILDER_NAVIGATION)[number]) =>
    group.entries.map(({ label, path }) => [label, `/o/acme${path}`])
  expect(BUILDER_NAVIGATION.map((group) => [group.title, entries(group)])).toEqual([
    [
      null,
      [
        [nav.home, paths.home],
        [nav.reviews, paths.reviews],
      ],
    ],
    [
      build,
      [
        [nav.agents, paths.agents],
        [nav.teams, paths.teams],
        [nav.workflows, paths.workflows],
        [nav.knowledge, paths.knowledge],
        [nav.skills, paths.skills],
        [nav.tools, paths.tools()],
      ],
    ],
    [
      voiceAndPhone,
      [
        [nav.voice, paths.voice()],
        [nav.phone, paths.phone()],
      ],
    ],
    [
      operate,
      [
        [nav.runs, paths.runs],
        [nav.usage, paths.usage],
        [nav.settings, paths.settings()],
      ],
    ],
  ])
  expect(BUILDER_NAVIGATION.flatMap((group) => group.entries)).toHaveLength(Object.keys(nav).length)
})

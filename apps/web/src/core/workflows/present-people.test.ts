import { expect, test } from 'vitest'
import { peopleBySteps, presentPeople } from './present-people.ts'

test('each other person is listed once, with the steps of all tabs', () => {
  const tab = (tabId: string, userId: string, name: string, nodeId: string | null = null) => ({
    ...{ tabId, userId, name, nodeId },
  })
  const people = presentPeople(
    [
      tab('1', 'eva', 'Eva Maria Stone', 'a'),
      tab('2', 'eva', 'Eva Maria Stone', 'b'),
      tab('3', 'me', 'Me'),
      tab('4', 'me', 'Me'),
      tab('5', 'bob', '👩‍🚒 ', null),
    ],
    { tabId: '3', userId: 'me' },
  )
  expect(people).toEqual([
    { userId: 'eva', name: 'Eva Maria Stone', initials: 'ES', nodeIds: ['a', 'b'] },
    { userId: 'bob', name: '👩‍🚒 ', initials: '👩', nodeIds: [] },
  ])
  expect([...peopleBySteps(people)].map(([step, at]) => [step, at.map(({ name }) => name)])).toEqual([
    ['a', ['Eva Maria Stone']],
    ['b', ['Eva Maria Stone']],
  ])
})

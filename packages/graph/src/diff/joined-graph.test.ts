import { expect, test } from 'vitest'
import { parseSketch } from '../testing/parse-sketch.ts'
import { joinedGraph } from './joined-graph.ts'

test('parts of the earlier graph only follow the later one, and equal edges are merged', () => {
  const joined = joinedGraph(parseSketch('t→a, a→gone, gone→b'), parseSketch('t→a, a→b'))
  expect(joined.nodes.map(({ id }) => id)).toEqual(['t', 'a', 'b', 'gone'])
  expect(joined.edges.map(({ source, target }) => `${source}→${target}`)).toEqual([
    't→a',
    'a→b',
    'a→gone',
    'gone→b',
  ])
})

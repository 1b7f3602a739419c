import { expect, test } from 'vitest'
import { dependencyCycle } from './task-graph.ts'

const graph = (edges: Record<string, string[]>) =>
  Object.entries(edges).map(([id, dependsOn]) => ({ id, dependsOn }))

test.for([
  [{}, null],
  [{ a: [], b: ['a'], c: ['a', 'b'], d: ['b', 'c'] }, null],
  [{ a: ['x'] }, null],
  [{ a: ['a'] }, ['a']],
  [{ a: ['b'], b: ['a'] }, ['a', 'b']],
  [{ a: ['b'], b: ['c'], c: ['d'], d: ['b'] }, ['b', 'c', 'd']],
] as [Record<string, string[]>, string[] | null][])('the cycle of %j is %j', ([edges, cycle]) => {
  expect(dependencyCycle(graph(edges))).toEqual(cycle)
})

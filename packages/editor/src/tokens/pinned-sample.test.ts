import type { GraphNode } from '@troupe/graph'
import { expect, test } from 'vitest'
import type { KnownToken } from './known-tokens.ts'
import { withPins } from './pinned-sample.ts'
import type { RunSample } from './run-sample.ts'

const node = (id: string, type: string, config: Record<string, unknown> = {}): GraphNode => ({
  ...{ id, type, name: id, config, parentId: null },
  position: { x: 0, y: 0 },
})
const graph = { nodes: [node('ask', 'ai-prompt'), node('keep', 'variable')], edges: [] }
const known = (id: string): KnownToken => ({
  ...{ path: `upstream.${id}.output`, source: 'step', stepName: id, type: null },
})
const sample: RunSample = { outputs: new Map([['run', 'of the run']]), variables: new Map([['kept', 1]]) }

test('pins provide values for steps without one in the run, and set its missing variables', () => {
  const pins = [
    { nodeId: 'run', output: 'pinned' },
    { nodeId: 'ask', output: { text: 'Hello' } },
    { nodeId: 'keep', output: { kept: 2, added: 3 } },
    { nodeId: 'later', output: 'unreadable' },
  ]
  const { outputs, variables } = withPins(sample, pins, graph, ['run', 'ask', 'keep'].map(known))
  expect([...outputs]).toEqual([
    ['run', 'of the run'],
    ['ask', { text: 'Hello' }],
    ['keep', { kept: 2, added: 3 }],
  ])
  expect([...variables]).toEqual([
    ['kept', 1],
    ['added', 3],
  ])
  expect(withPins(sample, pins.slice(3), graph, [known('ask')])).toBe(sample)
})

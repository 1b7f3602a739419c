import { isJsonObject } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { KnownToken } from './known-tokens.ts'
import type { RunSample } from './run-sample.ts'

/** A pinned output of a step. */
export interface PinnedOutput {
  nodeId: string
  output: unknown
}

/** The values of a run with the pinned outputs of steps that have none there: a test would read these. */
export function withPins(
  sample: RunSample,
  pins: readonly PinnedOutput[],
  { nodes }: Graph,
  tokens: readonly KnownToken[],
): RunSample {
  const readable = new Set(tokens.flatMap(({ path }) => /^upstream\.([^.]+)\.output$/.exec(path)?.[1] ?? []))
  const absent = pins.filter(({ nodeId }) => readable.has(nodeId) && !sample.outputs.has(nodeId))
  if (absent.length === 0) return sample
  const types = new Map(nodes.map(({ id, type }) => [id, type]))
  const outputs = new Map(sample.outputs)
  const variables = new Map(sample.variables)
  for (const { nodeId, output } of absent) {
    outputs.set(nodeId, output)
    const isWriter = NODE_TYPES.get(types.get(nodeId) ?? '')?.writes !== undefined
    if (!isWriter || !isJsonObject(output)) continue
    for (const [name, value] of Object.entries(output)) if (!variables.has(name)) variables.set(name, value)
  }
  return { ...sample, outputs, variables }
}

import { isJsonObject } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { samplePayload } from '../samples/sample-payload.ts'
import { callInput } from './call-input.ts'

/** The triggers whose values a call of the API provides, in the order of precedence of their samples. */
const CALLED = ['manual-trigger', 'http-request', 'form-trigger']

/**
 * The input that a call of the API may send to a published graph, so that its steps find their values: the sample of
 * its manual trigger, else of its HTTP trigger, else of its form. A graph with only a schedule gets an empty one.
 */
export function apiSample(nodes: readonly Pick<GraphNode, 'id' | 'type' | 'config'>[]): unknown {
  const [trigger] = CALLED.flatMap((type) => nodes.find((node) => node.type === type) ?? [])
  if (trigger === undefined) return {}
  const sample = samplePayload(trigger)
  return trigger.type === 'http-request' && isJsonObject(sample) ? callInput(nodes, sample) : sample
}

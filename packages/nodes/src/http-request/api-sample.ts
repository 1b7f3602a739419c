import { isJsonObject } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { callInput } from './call-input.ts'
import { samplePayload } from './sample-payload.ts'

/** The triggers whose values a call of the API brings, the one whose sample is sent first. */
const CALLED = ['manual-trigger', 'http-request', 'form-trigger']

/**
 * The input that a call of the API may send to a published graph, so that its steps find what they read: the sample of its manual
 * trigger, else of its HTTP trigger, else of its form. A graph that only a schedule starts gets an empty one.
 */
export function apiSample(nodes: readonly Pick<GraphNode, 'id' | 'type' | 'config'>[]): unknown {
  const [trigger] = CALLED.flatMap((type) => nodes.find((node) => node.type === type) ?? [])
  if (trigger === undefined) return {}
  const sample = samplePayload(trigger)
  return trigger.type === 'http-request' && isJsonObject(sample) ? callInput(nodes, sample) : sample
}

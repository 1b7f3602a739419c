import { isJsonObject } from '@troupe/contract'
import type { CompiledGraph, FlowNode } from '../compile/compiled-graph.ts'
import type { TriggerKind } from '../model/node-types.ts'

/** The trigger and payload of a run. Headers are excluded, because API keys in them would reach prompts. */
export type RunStart =
  | { kind: 'api'; input: unknown }
  | { kind: 'webhook'; body: unknown }
  | { kind: 'form'; values: unknown }
  /** `nodeId` is the Recurrence that fired. */
  | { kind: 'schedule'; nodeId: string }
  /** `nodeId` is the trigger that the user picked; null for the first of manual, HTTP, form, recurrence. */
  | { kind: 'builder'; nodeId: string | null; payload: unknown }

/** The default order of triggers for a manual run. */
export const BUILDER_ORDER: readonly TriggerKind[] = ['manual', 'http', 'form', 'recurrence']

function matching(graph: CompiledGraph, start: RunStart): FlowNode[] {
  const ofKind = (kind: TriggerKind) => graph.triggers.filter((node) => node.facts.trigger === kind)
  switch (start.kind) {
    case 'api':
      return [...ofKind('http'), ...ofKind('manual')]
    case 'webhook':
      return ofKind('http')
    case 'form':
      return ofKind('form')
    case 'schedule':
      return graph.triggers.filter((node) => node.id === start.nodeId)
    case 'builder':
      return start.nodeId === null
        ? BUILDER_ORDER.flatMap(ofKind).slice(0, 1)
        : graph.triggers.filter((node) => node.id === start.nodeId)
    default:
      return start satisfies never
  }
}

/** Whether the graph has the trigger of a start. An API call names no trigger and can start any. */
export function hasTriggerOf(graph: CompiledGraph, start: RunStart): boolean {
  return start.kind === 'api' || matching(graph, start).length > 0
}

/** The triggers that a start activates; all triggers when none matches. */
export function startedTriggers(graph: CompiledGraph, start: RunStart): ReadonlySet<FlowNode> {
  const found = matching(graph, start)
  return new Set(found.length > 0 ? found : graph.triggers)
}

/** The value of `{{ trigger }}`, which is also the output of the triggers. */
export function triggerValue(start: RunStart): unknown {
  switch (start.kind) {
    case 'api':
      return start.input
    case 'webhook':
      return { body: start.body }
    case 'form':
      return { body: start.values }
    case 'schedule':
      return {}
    case 'builder':
      return start.payload
    default:
      return start satisfies never
  }
}

/**
 * The payloads, one of which must have the declared fields of an HTTP trigger; error messages refer to the first. A
 * manual run has the payload of an API call or of a webhook: the same fields below `body`.
 */
export function checkedValues(start: RunStart): readonly [unknown, ...unknown[]] {
  switch (start.kind) {
    case 'webhook':
      return [start.body]
    case 'form':
      return [start.values]
    case 'builder': {
      const { payload } = start
      return isJsonObject(payload) && isJsonObject(payload.body) ? [payload.body, payload] : [payload]
    }
    default:
      return [triggerValue(start)]
  }
}

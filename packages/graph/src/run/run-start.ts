import type { CompiledGraph, FlowNode } from '../compile/compiled-graph.ts'
import type { TriggerKind } from '../model/node-types.ts'

/** What started a run. Headers are never part of it: keys would reach prompts. */
export type RunStart =
  | { kind: 'api'; input: unknown }
  | { kind: 'webhook'; body: unknown }
  | { kind: 'form'; values: unknown }
  /** `nodeId` is the Recurrence that fired. */
  | { kind: 'schedule'; nodeId: string }
  /** `nodeId` is the trigger that the person picked; null for the first of manual, HTTP, form, recurrence. */
  | { kind: 'builder'; nodeId: string | null; payload: unknown }

const BUILDER_ORDER: readonly TriggerKind[] = ['manual', 'http', 'form', 'recurrence']

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

/** The triggers that a start activates; all of them when none matches. */
export function startedTriggers(graph: CompiledGraph, start: RunStart): ReadonlySet<FlowNode> {
  const found = matching(graph, start)
  return new Set(found.length > 0 ? found : graph.triggers)
}

/** What `{{ trigger }}` means, and the output of the triggers. */
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

/** What the declared fields of an HTTP trigger are checked against. */
export function checkedValue(start: RunStart): unknown {
  switch (start.kind) {
    case 'webhook':
      return start.body
    case 'form':
      return start.values
    default:
      return triggerValue(start)
  }
}

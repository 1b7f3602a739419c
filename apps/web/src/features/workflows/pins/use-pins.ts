import type { IdText, WorkflowId } from '@troupe/contract'
import type { Pin } from '@troupe/contract/builder'
import { type Graph, inputHashes } from '@troupe/graph'
import { hasSampleFields } from '@troupe/nodes/sample-payload'
import { useMemo } from 'react'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'

/** A pin in relation to the draft of this tab. */
export interface ShownPin {
  pin: Pin
  /** The step has changed since it was pinned. */
  isOlder: boolean
}

const NO_PINS: ReadonlyMap<string, ShownPin> = new Map()

/** The pins of a draft, by step id; also compared with unsaved changes. The sample values of triggers are none. */
export function usePins(workflowId: IdText<WorkflowId>, graph: Graph): ReadonlyMap<string, ShownPin> {
  const pins = useOperation('listPins', { params: { workflowId } }).data?.data
  return useMemo(() => {
    if (!pins || pins.length === 0) return NO_PINS
    const hashes = inputHashes(graph)
    const triggers = new Set(graph.nodes.flatMap(({ id, type }) => (hasSampleFields(type) ? id : [])))
    return new Map(
      pins.flatMap((pin): [string, ShownPin][] => {
        if (triggers.has(pin.nodeId)) return []
        const now = hashes(pin.nodeId)
        return now === null ? [] : [[pin.nodeId, { pin, isOlder: now !== pin.inputHash }]]
      }),
    )
  }, [pins, graph])
}

import type { RunStart } from '@troupe/graph'
import type { RunIdentity } from './run-identity.ts'

/** The trigger of a run, as the graph sees it. */
export function runStartOf({
  source,
  firedNodeId,
  input,
}: Pick<RunIdentity, 'source' | 'firedNodeId' | 'input'>): RunStart {
  switch (source) {
    case 'api_sync':
    case 'api_async':
      return { kind: 'api', input }
    case 'webhook':
      return { kind: 'webhook', body: input }
    case 'form':
      return { kind: 'form', values: input }
    case 'schedule':
      return { kind: 'schedule', nodeId: firedNodeId ?? '' }
    case 'builder':
      return { kind: 'builder', nodeId: firedNodeId, payload: input }
    default:
      return source satisfies never
  }
}

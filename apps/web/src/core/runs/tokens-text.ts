import type { AgentRunDetail, ListedRun, WorkflowRunDetail } from '@troupe/contract/builder'
import { wholeNumber } from '../format/numbers.ts'
import { runWords as words } from '../messages/en/runs.ts'
import { MODEL_NODES } from '../nodes/node-types.ts'

type ModelCall = AgentRunDetail['calls'][number]
type ModelNode = WorkflowRunDetail['nodes'][number]

/** A run of a list, or one with a loaded trace. */
type CountedRun = Pick<ListedRun, 'kind' | 'status' | 'startedAt' | 'inputTokens' | 'outputTokens'> & {
  agentRun?:
    | (Pick<AgentRunDetail, 'isSettled'> & {
        calls: readonly Pick<ModelCall, 'errorCode' | 'hasAllTokens'>[]
      })
    | null
  workflowRun?: { nodes: readonly Pick<ModelNode, 'type' | 'status'>[] } | null
}

interface CountedTokens {
  inputTokens: number
  outputTokens: number
  /** false: a provider did not report them, as for a call that was stopped. */
  hasAllTokens: boolean
}

/** The code of a call that ended with its run, such as one stopped by a user. */
export const STOPPED_CALL = 'aborted'

/** The tokens of a run; null: not summed, or of a list that cannot tell whether a model was called. */
export function tokensOfRun(run: CountedRun): CountedTokens | null {
  const { inputTokens } = run
  if (inputTokens === null) return null
  const outputTokens = run.outputTokens ?? 0
  const isCut = isCutOff(run, inputTokens + outputTokens === 0)
  return isCut === null ? null : { inputTokens, outputTokens, hasAllTokens: !isCut }
}

/** Whether a model call ended with the run, so that its tokens are not among those counted; null: not known. */
function isCutOff(run: CountedRun, hasCountedNone: boolean): boolean | null {
  const { kind, status, startedAt, agentRun, workflowRun } = run
  const isStopped = status === 'cancelled' && startedAt !== null
  if (agentRun) {
    const isOwed = isStopped && !agentRun.isSettled
    return isOwed || agentRun.calls.some((call) => call.errorCode === STOPPED_CALL && !call.hasAllTokens)
  }
  // A node that ends with its run never gets another status.
  if (workflowRun)
    return (
      isStopped && workflowRun.nodes.some((node) => node.status === 'running' && MODEL_NODES.has(node.type))
    )
  if (!isStopped || !hasCountedNone) return false
  return kind === 'workflow' ? null : true
}

/** The number of used tokens, without a 0 if they were not counted. */
export function tokensText({ inputTokens, outputTokens, hasAllTokens }: CountedTokens): string {
  const tokens = words.inAndOut(wholeNumber(inputTokens), wholeNumber(outputTokens))
  if (hasAllTokens) return tokens
  return inputTokens + outputTokens === 0 ? words.tokensUnknown : words.tokensAtLeast(tokens)
}

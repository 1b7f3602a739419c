import type { AgentRunDetail, ListedRun } from '@troupe/builder-contract'
import { wholeNumber } from '../format/numbers.ts'
import { runWords as words } from '../messages/en/runs.ts'

type ModelCall = AgentRunDetail['calls'][number]

interface CountedTokens {
  inputTokens: number
  outputTokens: number
  /** false: a provider did not report them, as for a call that was stopped. */
  hasAllTokens: boolean
}

/** The code of a call that ended with its run, as when a person stops it. */
export const STOPPED_CALL = 'aborted'

/**
 * The tokens of a run; null: not summed.
 *
 * @param calls those of the run as far as they are known: of a run in a list, they are not
 */
export function tokensOfRun(
  {
    kind,
    status,
    startedAt,
    inputTokens,
    outputTokens,
  }: Pick<ListedRun, 'kind' | 'status' | 'startedAt' | 'inputTokens' | 'outputTokens'>,
  calls?: readonly Pick<ModelCall, 'errorCode' | 'hasAllTokens'>[],
): CountedTokens | null {
  if (inputTokens === null) return null
  const counted = { inputTokens, outputTokens: outputTokens ?? 0 }
  const isCut =
    calls === undefined
      ? // In a list, a canceled run that has counted none may have been cut off in its first call.
        kind !== 'workflow' &&
        status === 'cancelled' &&
        startedAt !== null &&
        inputTokens + counted.outputTokens === 0
      : calls.some(({ errorCode, hasAllTokens }) => errorCode === STOPPED_CALL && !hasAllTokens)
  return { ...counted, hasAllTokens: !isCut }
}

/** How many tokens were used, without a 0 where nobody counted. */
export function tokensText({ inputTokens, outputTokens, hasAllTokens }: CountedTokens): string {
  const tokens = words.inAndOut(wholeNumber(inputTokens), wholeNumber(outputTokens))
  if (hasAllTokens) return tokens
  return inputTokens + outputTokens === 0 ? words.tokensUnknown : words.tokensAtLeast(tokens)
}

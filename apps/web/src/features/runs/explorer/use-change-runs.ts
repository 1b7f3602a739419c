import type { AnyRunId, IdText } from '@troupe/contract'
import type { ListedRun } from '@troupe/contract/builder'
import { useEffect, useRef, useState } from 'react'
import { sendInTurn } from '../../../core/runs/send-in-turn.ts'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { useCalls } from '../../../infrastructure/queries/use-calls.ts'

/** One change of several runs. */
export interface RunsChange {
  isPending: boolean
  /** The failures of the last action. */
  failures: readonly CallFailure[]
  /** Changes the runs sequentially until the page is closed; resolves with the number of changed runs. */
  run(runs: readonly ListedRun[]): Promise<number>
}

/**
 * Cancels runs, or starts them again.
 *
 * @param onChanged called with the status of each cancelled run
 */
export function useChangeRuns(
  name: 'cancelRun' | 'rerun',
  onChanged?: (runId: IdText<AnyRunId>, status: ListedRun['status']) => void,
): RunsChange {
  const calls = useCalls()
  const [state, setState] = useState<Omit<RunsChange, 'run'>>({ isPending: false, failures: [] })
  const life = useRef<AbortController | null>(null)
  useEffect(() => () => life.current?.abort(), [])
  const send = async ({ runId }: ListedRun) => {
    try {
      const changed = await calls.send(name, { params: { runId } })
      if ('status' in changed) onChanged?.(runId, changed.status)
      return null
    } catch (error) {
      return asCallFailure(error)
    }
  }
  const run = async (runs: readonly ListedRun[]) => {
    life.current = new AbortController()
    const { signal } = life.current
    setState({ isPending: true, failures: [] })
    const { done, failures } = await sendInTurn(runs, send, signal)
    // Once for all of them: each response of the histogram would delay the next run.
    void calls.refresh(['listRuns', 'runHistogram'])
    setState({ isPending: false, failures })
    return done
  }
  return { ...state, run }
}

import type { TeamCallPreview } from '@troupe/builder-contract'
import type { TeamConfig, TeamToggle } from '@troupe/contract'
import { useEffect, useRef, useState } from 'react'
import type { ConfigContent } from '../../../core/forms/config-content.ts'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { type OperationCalls, useCalls } from '../../../infrastructure/queries/use-calls.ts'

/** The prompts of a team; of both positions of a toggle, when there is one. */
export interface TeamPromptSides {
  /** Null: no toggle is compared. */
  off: readonly TeamCallPreview[] | null
  on: readonly TeamCallPreview[]
}

export interface AskedPrompts {
  sides: TeamPromptSides | null
  failure: CallFailure | null
  isPending: boolean
  ask(message: string): void
}

interface Subject {
  teamId: string
  content: ConfigContent
  config: TeamConfig
  toggle: TeamToggle | null
}

const BEFORE = { sides: null, failure: null, isPending: true }

/** Asks for the prompts of an edit, with the toggle in both positions: at first with `message`, then when it is told to. */
export function useTeamPrompts(subject: Subject, message: string): AskedPrompts {
  const calls = useCalls()
  const [state, setState] = useState<Omit<AskedPrompts, 'ask'>>(BEFORE)
  const running = useRef<AbortController | null>(null)
  const ask = (text: string) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setState((former) => ({ ...former, failure: null, isPending: true }))
    // What was asked before is no answer any more.
    const show = (next: Partial<typeof state>) =>
      running.current === own && setState((former) => ({ ...former, ...next, isPending: false }))
    bothSides(calls, subject, text, own.signal).then(
      (sides) => show({ sides }),
      (error: unknown) => show({ failure: asCallFailure(error) }),
    )
  }
  const first = useRef(ask)
  // biome-ignore lint/correctness/useExhaustiveDependencies: later messages are asked for by the person
  useEffect(() => {
    first.current(message)
    return () => running.current?.abort()
  }, [])
  return { ...state, ask }
}

async function bothSides(
  { send }: OperationCalls,
  { teamId, content, config, toggle }: Subject,
  message: string,
  signal: AbortSignal,
): Promise<TeamPromptSides> {
  const promptsOf = async (toggles: TeamConfig['toggles']) => {
    const draft = { ...content, config: { ...config, toggles } }
    const answer = await send('showTeamPrompts', { params: { teamId }, body: { draft, message } }, { signal })
    return answer.calls
  }
  if (toggle === null) return { off: null, on: await promptsOf(config.toggles) }
  const [off, on] = await Promise.all([
    promptsOf({ ...config.toggles, [toggle]: false }),
    promptsOf({ ...config.toggles, [toggle]: true }),
  ])
  return { off, on }
}

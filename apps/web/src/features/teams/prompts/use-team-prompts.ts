import type { IdText, TeamConfig, TeamId, TeamToggle } from '@troupe/contract'
import type { TeamCallPreview } from '@troupe/contract/builder'
import type { ConfigContent } from '@troupe/editor/values/config-content'
import { useEffect, useRef, useState } from 'react'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { type OperationCalls, useCalls } from '../../../infrastructure/queries/use-calls.ts'

/** The prompts of a team; with a toggle, those of both positions. */
export interface TeamPromptSides {
  /** Null: no toggle is compared. */
  off: readonly TeamCallPreview[] | null
  on: readonly TeamCallPreview[]
}

export interface AskedPrompts {
  sides: TeamPromptSides | null
  failure: CallFailure | null
  isPending: boolean
  ask(question: PromptQuestion): void
}

/** The subject of the request. */
export interface PromptQuestion {
  message: string
  /** A conversation of the playground that the message continues; null: a new one. */
  sessionId: string | null
}

interface Subject {
  teamId: IdText<TeamId>
  content: ConfigContent
  config: TeamConfig
  toggle: TeamToggle | null
}

const BEFORE = { sides: null, failure: null, isPending: true }

/** Fetches the prompts of an edit, with the toggle in both positions: first the given question, then its substitutes. */
export function useTeamPrompts(subject: Subject, question: PromptQuestion): AskedPrompts {
  const calls = useCalls()
  const [state, setState] = useState<Omit<AskedPrompts, 'ask'>>(BEFORE)
  const running = useRef<AbortController | null>(null)
  const ask = (next: PromptQuestion) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setState((former) => ({ ...former, failure: null, isPending: true }))
    // The response to an earlier request is outdated.
    const show = (found: Partial<typeof state>) =>
      running.current === own && setState((former) => ({ ...former, ...found, isPending: false }))
    bothSides(calls, subject, next, own.signal).then(
      (sides) => show({ sides }),
      (error: unknown) => show({ failure: asCallFailure(error) }),
    )
  }
  const first = useRef(ask)
  // biome-ignore lint/correctness/useExhaustiveDependencies: on mount only; the user sends later questions
  useEffect(() => {
    first.current(question)
    return () => running.current?.abort()
  }, [])
  return { ...state, ask }
}

async function bothSides(
  { send }: OperationCalls,
  { teamId, content, config, toggle }: Subject,
  { message, sessionId }: PromptQuestion,
  signal: AbortSignal,
): Promise<TeamPromptSides> {
  const promptsOf = async (toggles: TeamConfig['toggles']) => {
    const draft = { ...content, config: { ...config, toggles } }
    const body = { draft, message, ...(sessionId === null ? {} : { sessionId }) }
    const answer = await send('showTeamPrompts', { params: { teamId }, body }, { signal })
    return answer.calls
  }
  if (toggle === null) return { off: null, on: await promptsOf(config.toggles) }
  const [off, on] = await Promise.all([
    promptsOf({ ...config.toggles, [toggle]: false }),
    promptsOf({ ...config.toggles, [toggle]: true }),
  ])
  return { off, on }
}

import { tokensOf } from '../../chain/tokens.ts'
import { earlierAnswer } from '../../memory/earlier-answer.ts'
import type { TeamRun } from '../members/team-run.ts'
import { paragraphs, promptBlock, withinTokens } from './blocks.ts'
import { contextText } from './lead-prompt.ts'

const INTERACTION_TOKENS = 4_000

/** A member's earlier interaction in this run, as another member may see it. */
export interface Interaction {
  /** `m1 (Billing)`. */
  member: string
  task: string
  response: string
}

/** The newest completed turns that fit, oldest first, with the summary of the earlier ones. */
function teamHistory({ team, state }: TeamRun): string | null {
  const { toggles, limits } = team.snapshot.config
  if (!toggles.members_see_team_history || !state) return null
  const kept: string[] = []
  let tokens = 0
  const ended = state.history.filter((turn) => turn.status !== 'cancelled')
  for (const turn of ended.toReversed()) {
    const text = `User: ${turn.input}\nTeam: ${earlierAnswer(turn)}`
    tokens += tokensOf(Buffer.byteLength(text))
    if (tokens > limits.history_tokens) break
    kept.unshift(text)
  }
  const summary = state.summary && `Summary of earlier turns, may be outdated: ${state.summary.text}`
  const text = paragraphs(summary, ...kept)
  return text === '' ? null : text
}

function interactionsText(interactions: readonly Interaction[]): string | null {
  if (interactions.length === 0) return null
  const texts = interactions.map(({ member, task, response }) =>
    promptBlock('interaction', withinTokens(`Task: ${task}\nResponse: ${response}`, INTERACTION_TOKENS), {
      member,
    }),
  )
  return texts.join('\n')
}

/**
 * The one user message that a member gets: the non-empty blocks, then its task. A task without blocks is sent
 * unwrapped, so that a member given the caller's message sees it verbatim.
 */
export function memberInput(run: TeamRun, task: string, interactions: readonly Interaction[] = []): string {
  const blocks = {
    team_context: contextText(run),
    team_history: teamHistory(run),
    member_interactions: interactionsText(interactions),
  }
  const filled = Object.entries(blocks).flatMap(([name, text]) =>
    text === null ? [] : [promptBlock(name, text)],
  )
  return filled.length === 0 ? task : paragraphs(...filled, promptBlock('task', task))
}

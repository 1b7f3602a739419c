import type { ListedRun } from '@troupe/builder-contract'
import type { PlayedVersion, PlaygroundTurn } from '../../core/playground/turns.ts'
import { newTurn } from '../../core/playground/turns.ts'
import { restoredRun } from '../../core/runs/restored-run.ts'
import type { RunView } from '../../core/runs/run-view.ts'
import { asCallFailure, type CallFailure } from '../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../infrastructure/client/call-operation.ts'
import { useOrganizationId } from '../../infrastructure/sign-in/organization-id.ts'

/** Turns that are shown again after a reload; the older ones are on the page of the conversation. */
const MOST_TURNS = 20

/** A conversation as the server has it. */
export interface StoredConversation {
  earlier: readonly Omit<PlaygroundTurn, 'key'>[]
  /** Its stream is to be read. */
  last: Omit<PlaygroundTurn, 'key'>
  /** The outcome of the last run, when it has ended. */
  ended: RunView | null
}

/** What the playground asks the server beside streams. */
export function useStoredTurns(kind: 'agent' | 'team', id: string) {
  const organizationId = useOrganizationId()
  return {
    /** Stops a run; null when it stopped or had ended. */
    cancel: async (runId: string): Promise<CallFailure | null> => {
      try {
        if (kind === 'agent') {
          await callOperation('cancelAgentPlayground', organizationId, { params: { agentId: id, runId } })
        } else {
          await callOperation('cancelTeamPlayground', organizationId, { params: { teamId: id, runId } })
        }
        return null
      } catch (error) {
        return asCallFailure(error)
      }
    },
    /** The conversation that a run of the playground belongs to; null: it is a run of something else. Throws `CallFailure`. */
    conversationOf: async (runId: string, column: number): Promise<StoredConversation | null> => {
      const found = await callOperation('getRun', organizationId, { params: { runId } })
      if (found.kind !== kind || found.entity.id !== id || found.source !== 'playground') return null
      const { agentRun, sessionRowId } = found
      const turns = sessionRowId === null ? [] : await turnsOfSession(organizationId, sessionRowId)
      const place = turns.findIndex(({ run }) => run.runId === runId)
      const message = agentRun?.input ?? turns[place]?.input ?? ''
      const before = place < 0 ? [] : turns.slice(0, place)
      const content = agentRun?.content ?? null
      return {
        earlier: before.map(({ run, input, content: text }, index) => ({
          ...turnOf(run, column, index, input ?? ''),
          run: restoredRun(run, text),
          phase: 'settled',
        })),
        last: { ...turnOf(found, column, before.length, message), phase: 'streaming' },
        ended: found.completedAt === null ? null : restoredRun(found, content),
      }
    },
  }
}

/** The turns of a conversation, oldest first. */
async function turnsOfSession(organizationId: string | null, id: string) {
  const { turns } = await callOperation('getRunSession', organizationId, {
    params: { id },
    query: { limit: MOST_TURNS },
  })
  return turns.toReversed()
}

function turnOf(run: ListedRun, column: number, index: number, message: string): Omit<PlaygroundTurn, 'key'> {
  const { key: _, ...turn } = newTurn({
    key: '',
    column,
    // Turns of several columns that were asked at once stand beside each other again.
    round: `stored-${index}`,
    message,
    played: playedOf(run),
    sentMs: null,
  })
  return turn
}

function playedOf({ versionId, versionNumber }: ListedRun): PlayedVersion {
  return versionNumber === null
    ? { subject: { kind: 'draft' }, versionNumber }
    : { subject: { kind: 'version', versionId }, versionNumber }
}

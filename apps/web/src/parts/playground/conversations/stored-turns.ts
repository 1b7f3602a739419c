import type { IdText, OrganizationId, RunId } from '@troupe/contract'
import type { ListedRun } from '@troupe/contract/builder'
import type { PlayedVersion, PlaygroundTurn } from '../../../core/playground/turns.ts'
import { newTurn } from '../../../core/playground/turns.ts'
import { restoredRun } from '../../../core/runs/restored-run.ts'
import type { RunView } from '../../../core/runs/run-view.ts'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'

/** Maximum restored turns; older ones are on the page of the conversation. */
const MOST_TURNS = 20

/** A turn without a position on the page yet. */
type StoredTurn = Omit<PlaygroundTurn, 'key' | 'column'>

/** A conversation from the server. */
export interface StoredConversation {
  earlier: readonly StoredTurn[]
  /** The last turn, whose stream is to be read. */
  last: StoredTurn
  /** The outcome of the last run, when it has ended. */
  ended: RunView | null
}

/** The playground's requests besides streams. */
export class StoredTurns {
  readonly #of: { organizationId: IdText<OrganizationId>; kind: 'agent' | 'team'; id: string }

  constructor(of: { organizationId: IdText<OrganizationId>; kind: 'agent' | 'team'; id: string }) {
    this.#of = of
  }

  /** Stops a run; null when it stopped or had ended. */
  async cancel(runId: IdText<RunId>): Promise<CallFailure | null> {
    const { organizationId, kind, id } = this.#of
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
  }

  /** The conversation of a playground run; null: the run is not from a playground. Throws `CallFailure`. */
  async conversationOf(runId: IdText<RunId>): Promise<StoredConversation | null> {
    const { organizationId, kind, id } = this.#of
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
        ...turnOf(run, index - before.length - 1, input ?? ''),
        run: restoredRun(run, text),
        phase: 'settled',
        isBare: true,
      })),
      last: { ...turnOf(found, -1, message), phase: 'streaming' },
      ended: found.completedAt === null ? null : restoredRun(found, content),
    }
  }
}

/** The turns of a conversation, oldest first. */
async function turnsOfSession(organizationId: IdText<OrganizationId>, id: string) {
  const { turns } = await callOperation('getRunSession', organizationId, {
    params: { id },
    query: { limit: MOST_TURNS },
  })
  return turns.toReversed()
}

function turnOf(run: ListedRun, place: number, message: string): StoredTurn {
  const {
    key: _,
    column: __,
    ...turn
  } = newTurn({
    key: '',
    column: 0,
    place,
    // Turns of several columns with one message are aligned again.
    round: `stored${place} ${message}`,
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

import type { AgentCatalog } from '@troupe/agents/ports'
import { DomainError } from '@troupe/contract'
import type { ClaimedVoiceJob } from '@troupe/contract/voice-worker'
import type { AgentVoices } from '@troupe/operations/voice-configurations/agent-voices'
import type { VoiceSessionRecord, VoiceStores } from '@troupe/voice'

/** Turn numbers per dispatch; those of the next dispatch start above. */
const TURNS_OF_DISPATCH = 10_000

/** Sources of the parts of a job. */
export interface JobSources {
  turns: VoiceStores['turns']
  now: () => number
  voices: Pick<AgentVoices, 'open'>
  catalog: Pick<AgentCatalog, 'agentVersion'>
  /** CIDR ranges allowed for speech providers, besides public addresses. */
  allowedNetworks: () => readonly string[]
}

interface JobParts {
  voice: NonNullable<Awaited<ReturnType<JobSources['voices']['open']>>>
  agent: NonNullable<Awaited<ReturnType<JobSources['catalog']['agentVersion']>>>
  turns: Awaited<ReturnType<JobSources['turns']['list']>>
}

/** Assembles a worker's job for a session. */
export class ClaimedJobs {
  readonly #sources: JobSources

  constructor(sources: JobSources) {
    this.#sources = sources
  }

  /**
   * Reads the parts of a job besides the session's row. Runs before the one-time token is used: a failed read leaves the token to
   * the next attempt.
   *
   * @throws DomainError `voice_configuration_not_found` if the configuration or the agent was deleted meanwhile
   */
  async read(session: VoiceSessionRecord): Promise<JobParts> {
    const { turns: transcripts, voices, catalog } = this.#sources
    const [voice, agent, turns] = await Promise.all([
      voices.open(session),
      catalog.agentVersion(session.organizationId, session.agentVersionId),
      transcripts.list(session),
    ])
    if (!voice || !agent) {
      throw new DomainError('voice_configuration_not_found', 'The voice configuration no longer exists.')
    }
    return { voice, agent, turns }
  }

  /** The job of a session that was just claimed. */
  of(session: VoiceSessionRecord, sessionToken: string, { voice, agent, turns }: JobParts): ClaimedVoiceJob {
    return {
      sessionId: session.id,
      sessionToken,
      kind: session.kind,
      participantIdentity: session.participantIdentity,
      agent: { agentId: agent.agentId, name: agent.name },
      ...voice,
      allowedNetworks: [...this.#sources.allowedNetworks()],
      transcript: turns.map(({ role, text, interrupted }) => ({ role, text, interrupted })),
      nextTurnSeq: session.dispatchAttempt * TURNS_OF_DISPATCH + 1,
      now: this.#sources.now(),
      expiresAt: session.expiresAt.getTime(),
      answered: session.answeredAt !== null,
      leaseUntil: leaseUntilOf(session),
    }
  }
}

/** When the reserved minutes of an answered call end, in milliseconds since the epoch; null for other sessions. */
export function leaseUntilOf({ kind, answeredAt, reservedS }: VoiceSessionRecord): number | null {
  return kind === 'outbound_call' && answeredAt ? answeredAt.getTime() + reservedS * 1_000 : null
}

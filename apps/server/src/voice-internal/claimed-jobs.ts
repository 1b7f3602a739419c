import type { AgentCatalog } from '@troupe/agents/ports'
import { completeVoiceSettings, DomainError } from '@troupe/contract'
import type { Readers } from '@troupe/database'
import type { StoredCredentials } from '@troupe/operations/credentials/stored-credentials'
import { maySpeakWith } from '@troupe/operations/voice-configurations/voice-faults'
import { speechProviders, type VoiceSessionRecord, type VoiceStores } from '@troupe/voice'
import type { ClaimedVoiceJob } from '@troupe/voice-protocol'

/** Turns of one dispatch; those of the next one begin above. */
const TURNS_OF_DISPATCH = 10_000

/** Where the parts of a job come from. */
export interface JobSources {
  turns: VoiceStores['turns']
  now: () => number
  read: Pick<Readers, 'voiceConfigurations'>
  catalog: Pick<AgentCatalog, 'agentVersion'>
  credentials: Pick<StoredCredentials, 'find'>
}

/** Puts together what a worker needs to serve a session. */
export class ClaimedJobs {
  readonly #sources: JobSources

  constructor(sources: JobSources) {
    this.#sources = sources
  }

  /** @throws DomainError `voice_configuration_not_found` when the configuration or the agent was deleted meanwhile */
  async of(session: VoiceSessionRecord, sessionToken: string): Promise<ClaimedVoiceJob> {
    const { turns: transcripts, now, read, catalog, credentials } = this.#sources
    const { organizationId, projectId } = session
    const [configuration, agent, turns] = await Promise.all([
      read.voiceConfigurations.byId(organizationId, session.voiceConfigId),
      catalog.agentVersion(organizationId, session.agentVersionId),
      transcripts.list(session),
    ])
    if (!configuration || !agent) {
      throw new DomainError('voice_configuration_not_found', 'The voice configuration no longer exists.')
    }
    const settings = completeVoiceSettings(configuration.settings)
    const providers = await speechProviders(configuration, settings, async (credentialId, service) => {
      const credential = await credentials.find({ organizationId, projectId }, credentialId)
      return credential !== null && maySpeakWith(credential, service) ? credential.secret : null
    })
    return {
      sessionId: session.id,
      sessionToken,
      kind: session.kind,
      participantIdentity: session.participantIdentity,
      agent: { agentId: agent.agentId, name: agent.name },
      settings,
      ...providers,
      transcript: turns.map(({ role, text, interrupted }) => ({ role, text, interrupted })),
      nextTurnSeq: session.dispatchAttempt * TURNS_OF_DISPATCH + 1,
      now: now(),
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

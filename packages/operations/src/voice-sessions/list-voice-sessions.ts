import { AgentId, checkedId, type QueryOf, type ResultOf, VoiceSessionId } from '@troupe/contract'
import type { BUILDER_OPERATIONS, ListedVoiceSession } from '@troupe/contract/builder'
import type { Database, ObservedVoiceSession } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { projectFilter } from '../handlers/project-filter.ts'
import { placeOf, presentPlace } from '../runs/run-place.ts'

type ListVoiceSessions = (typeof BUILDER_OPERATIONS)['listVoiceSessions']

/** One page of voice sessions, newest first. @throws DomainError `validation_error` */
export async function listVoiceSessions(
  { observed }: Pick<Database, 'observed'>,
  { organizationId }: BuilderCaller,
  { after, limit = 20, ...query }: QueryOf<ListVoiceSessions>,
): Promise<ResultOf<ListVoiceSessions>> {
  const { agentId = null, state = null } = query
  const projectId = projectFilter(query.projectId)
  const { rows, next } = await observed.voiceSessions(
    organizationId,
    { agentId: agentId === null ? null : checkedId(AgentId, agentId), state, projectId },
    { after: placeOf(VoiceSessionId, after), limit },
  )
  return { data: rows.map(present), next: presentPlace(next) }
}

function present(session: ObservedVoiceSession): ListedVoiceSession {
  const { agentId, agentName, createdAt, connectedAt, endedAt, countedS, ...same } = session
  return {
    ...same,
    agent: { id: agentId, name: agentName },
    createdAt: iso(createdAt),
    connectedAt: connectedAt === null ? null : iso(connectedAt),
    endedAt: endedAt === null ? null : iso(endedAt),
    voiceMinutes: countedS === null ? null : Math.round((countedS / 60) * 100) / 100,
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

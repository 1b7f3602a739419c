import type { AnyVersionId, IdText } from '@troupe/contract'
import type { AgentDetails, TeamDetails, Version, VersionDetails } from '@troupe/contract/builder'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import { NAMES_USES } from '../../infrastructure/queries/names-uses.ts'
import { type Asked, useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'

/** Versions per page of the list. */
export const VERSIONS_PAGE = 50

type Page = AnswerOf<'listAgentVersions'>

/** The versions of an agent or a team, newest first. */
export function useVersionList(
  kind: ConfigKind,
  id: string,
  query: { page?: number; limit: number },
  isEnabled = true,
): Asked<Page> {
  const agent = useOperation(
    'listAgentVersions',
    { params: { agentId: id }, query },
    { isEnabled: isEnabled && kind === 'agent' },
  )
  const team = useOperation(
    'listTeamVersions',
    { params: { teamId: id }, query },
    { isEnabled: isEnabled && kind === 'team' },
  )
  return kind === 'agent' ? agent : team
}

/** The version before the last one of a page, which is on the next page; undefined if there is none, or before it is loaded. */
export function useVersionBefore(
  kind: ConfigKind,
  id: string,
  page: number,
  total: number,
): Version | undefined {
  const hasMore = total > page * VERSIONS_PAGE
  const asked = useVersionList(kind, id, { page: page * VERSIONS_PAGE + 1, limit: 1 }, hasMore)
  return hasMore && !asked.isFormer ? asked.data?.data[0] : undefined
}

/** A version with its content; null: none is requested. */
export function useVersionContent(
  kind: ConfigKind,
  id: string,
  versionId: Version['versionId'] | null,
): Asked<VersionDetails> {
  const asked = versionId ?? ''
  const agent = useOperation(
    'getAgentVersion',
    { params: { agentId: id, versionId: asked } },
    { isEnabled: kind === 'agent' && versionId !== null },
  )
  const team = useOperation(
    'getTeamVersion',
    { params: { teamId: id, versionId: asked } },
    { isEnabled: kind === 'team' && versionId !== null },
  )
  return kind === 'agent' ? agent : team
}

/** A change of versions, with the state of its request. */
export interface VersionChange<Body, Answer> {
  /** null when it failed. */
  run(versionId: Version['versionId'], body: Body): Promise<Answer | null>
  failure: CallFailure | null
  isPending: boolean
}

const OF_AGENTS = ['listAgentVersions', 'getAgentVersion'] as const
const OF_TEAMS = ['listTeamVersions', 'getTeamVersion'] as const

export function useLabelVersion(
  kind: ConfigKind,
  id: string,
): VersionChange<{ label?: string | null; note?: string | null }, Version> {
  const agent = useChange('describeAgentVersion', { refreshes: OF_AGENTS })
  const team = useChange('describeTeamVersion', { refreshes: OF_TEAMS })
  const { failure, isPending } = kind === 'agent' ? agent : team
  return {
    failure,
    isPending,
    run: async (versionId, body) => {
      const done =
        kind === 'agent'
          ? await agent.run({ params: { agentId: id, versionId }, body })
          : await team.run({ params: { teamId: id, versionId }, body })
      return done?.answer ?? null
    },
  }
}

export function useRestoreVersion(
  kind: ConfigKind,
  id: string,
): VersionChange<{ baseVersionId: IdText<AnyVersionId> }, AgentDetails | TeamDetails> {
  const agent = useChange('restoreAgentVersion', { refreshes: [...OF_AGENTS, ...NAMES_USES] })
  const team = useChange('restoreTeamVersion', { refreshes: [...OF_TEAMS, ...NAMES_USES] })
  const { failure, isPending } = kind === 'agent' ? agent : team
  return {
    failure,
    isPending,
    run: async (versionId, body) => {
      const done =
        kind === 'agent'
          ? await agent.run({ params: { agentId: id, versionId }, body })
          : await team.run({ params: { teamId: id, versionId }, body })
      return done?.answer ?? null
    },
  }
}

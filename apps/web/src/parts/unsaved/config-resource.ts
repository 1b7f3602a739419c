import type { AnyVersionId, IdText, VoiceConfigurationId } from '@troupe/contract'
import type { AgentDetails, TeamDetails } from '@troupe/contract/builder'
import type { ConfigContent } from '@troupe/editor/values/config-content'
import type { ConfigKind, EditedKind } from '../../core/forms/check-content.ts'
import { asCallFailure } from '../../infrastructure/client/call-failure.ts'
import { NAMES_USES } from '../../infrastructure/queries/names-uses.ts'
import { type OperationCalls, useCalls } from '../../infrastructure/queries/use-calls.ts'
import type { SavedChanges } from './edit-sync.ts'
import type { SavedContent } from './saved-content.ts'
import { asVoiceFailure, savedVoice, voiceFields } from './voice-content.ts'

/** Reads and changes one agent, team or voice. Both throw `CallFailure`. */
export interface ConfigResource {
  read(): Promise<SavedContent>
  /**
   * Replaces name, description and the whole configuration, so that removed keys are deleted.
   *
   * @param ended the unsaved changes of the server that end with it
   */
  update(
    content: ConfigContent,
    baseVersionId: IdText<AnyVersionId>,
    ended?: SavedChanges,
  ): Promise<SavedContent>
}

const REFRESHED = {
  agent: [...NAMES_USES, 'listAgentVersions'],
  team: [...NAMES_USES, 'listTeamVersions'],
  voice_configuration: ['getVoiceConfiguration', 'listVoiceConfigurations'],
} as const

export function useConfigResource(kind: EditedKind, id: string): ConfigResource {
  const calls = useCalls()
  return {
    read: () => read(calls, kind, id),
    update: async (content, baseVersionId, ended) => {
      const answer =
        kind === 'voice_configuration'
          ? await updateVoice(calls, id, content, { baseVersionId, ended })
          : await update(calls, kind, id, {
              ...{ ...content, baseVersionId, replace: true },
              ...(ended && { savedChanges: ended }),
            })
      // Not awaited: until the editor has processed its save, input counts as an edit of the previous version.
      void calls.refresh(REFRESHED[kind])
      return answer
    },
  }
}

/** A server response as the content of an editor. */
export function savedContent(answer: AgentDetails | TeamDetails): SavedContent {
  const { name, description, config, versionId, versionNumber, changedBy, updatedAt, usedBy } = answer
  return {
    name,
    description,
    config: { ...config },
    versionId,
    versionNumber,
    changedBy,
    updatedAt,
    usedBy,
  }
}

async function read({ ask }: OperationCalls, kind: EditedKind, id: string): Promise<SavedContent> {
  if (kind === 'voice_configuration') {
    return savedVoice(await ask('getVoiceConfiguration', { params: { voiceConfigId: id } }))
  }
  return savedContent(
    kind === 'agent'
      ? await ask('getAgent', { params: { agentId: id } })
      : await ask('getTeam', { params: { teamId: id } }),
  )
}

type UpdateBody = ConfigContent & {
  baseVersionId: IdText<AnyVersionId>
  replace: boolean
  savedChanges?: SavedChanges
}

/** The response is the saved state, even if it can't be refetched. */
async function update(
  { send, keep }: OperationCalls,
  kind: ConfigKind,
  id: string,
  body: UpdateBody,
): Promise<SavedContent> {
  if (kind === 'agent') {
    const params = { agentId: id }
    const agent = await send('updateAgent', { params, body })
    const { warnings = [], ...kept } = agent
    keep('getAgent', { params }, kept)
    return { ...savedContent(agent), warnings }
  }
  const params = { teamId: id }
  const team = await send('updateTeam', { params, body })
  keep('getTeam', { params }, team)
  return savedContent(team)
}

async function updateVoice(
  { send, keep }: OperationCalls,
  voiceConfigId: IdText<VoiceConfigurationId>,
  content: ConfigContent,
  { baseVersionId, ended }: { baseVersionId: IdText<AnyVersionId>; ended: SavedChanges | undefined },
): Promise<SavedContent> {
  const body = {
    ...{ ...voiceFields(content), version: Number(baseVersionId) },
    ...(ended && { savedChanges: ended }),
  }
  try {
    const params = { voiceConfigId }
    const voice = await send('updateVoiceConfiguration', { params, body })
    keep('getVoiceConfiguration', { params }, voice)
    return savedVoice(voice)
  } catch (error) {
    throw asVoiceFailure(asCallFailure(error))
  }
}

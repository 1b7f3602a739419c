import type { RunRequest } from '@troupe/agents'
import type { TeamSnapshot } from '@troupe/agents/ports'
import {
  agentsOfTeam,
  type IdText,
  type NewId,
  type ProjectId,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import type { TeamCallPreview, TeamDraft, TeamPrompts } from '@troupe/contract/builder'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { requestedProject } from '../access/requested-project.ts'
import { requireProject } from '../access/require-project.ts'
import { playgroundRequest } from '../playground/playground-request.ts'
import { usableTeamDraft } from '../playground/team-draft.ts'
import { findRunnable } from '../runnables/find-runnable.ts'
import { storyOf } from './call-story.ts'
import { presentCall } from './present-call.ts'
import { rehearse } from './rehearse.ts'
import type { RehearsedCall } from './rehearsing-models.ts'
import { requireCalls, type ShowPromptParts } from './show-agent-prompt.ts'

/** A step without the suffix of its tries: the first step of a member is the member's call. */
function placeOf(key: string): string {
  return key.replace(/\/step:0$/, '')
}

/**
 * The caller of a step. A step of a member has the member's key; the plan of a rehearsal has one task for each member,
 * in order, and one for a promoted lead.
 */
function callerOf({ key, name }: RehearsedCall, { config }: TeamSnapshot): TeamCallPreview['who'] {
  const { lead, members } = config
  const leader = 'agent' in lead ? lead.agent : null
  if (!/^(member|call|task):/.test(key)) return { role: 'lead', agentId: leader, name }
  const position = /\b[mt](\d+)\b/.exec(key)?.[1]
  const member = position === undefined ? undefined : members[Number(position) - 1]
  return { role: 'member', agentId: member?.agent ?? leader, name }
}

/** The number of rehearsals that show every member: a handoff reaches one of them. */
function rehearsalsOf({ config }: TeamSnapshot): number {
  return config.mode === 'handoff' ? Math.max(1, agentsOfTeam(config).length) : 1
}

async function callsOf(
  parts: ShowPromptParts,
  request: RunRequest,
  team: TeamSnapshot,
): Promise<TeamPrompts> {
  const calls = new Map<string, RehearsedCall>()
  for (let member = 0; member < rehearsalsOf(team); member += 1) {
    const rehearsal = await rehearse(parts.runs.deps, request, { team, member })
    requireCalls(rehearsal)
    for (const call of rehearsal.calls) {
      const place = placeOf(call.key)
      // Only the first try of a step, without repairs.
      if (!calls.has(place)) calls.set(place, { ...call, key: place })
    }
  }
  return {
    calls: [...calls.values()].map((call) => {
      const { when, dependsOn } = storyOf(call.key)
      const who = callerOf(call, team)
      return { key: call.key, who, when, dependsOn: [...dependsOn], ...presentCall(call) }
    }),
  }
}

/**
 * The prompts of every model of a team, or of its draft, for a message.
 *
 * @throws DomainError as the start of a run, and as saving the draft
 */
export async function showTeamPrompts(
  parts: ShowPromptParts,
  caller: BuilderCaller,
  teamId: IdText<TeamId>,
  { draft, message, sessionId }: { draft?: TeamDraft; message: string; sessionId?: string },
): Promise<TeamPrompts> {
  const { read } = parts.database
  const team = await findRunnable('team', read.teams.byId, caller, teamId)
  const { name, config } = draft ? await usableTeamDraft(read, caller, team, draft) : team
  const { organizationId, projectId, versionId, id } = team
  const snapshot = { teamId: id, versionId, organizationId, projectId, name, config }
  const body = { message, ...(sessionId !== undefined && { session_id: sessionId }) }
  return callsOf(parts, playgroundRequest(parts.clock, caller, { kind: 'team', id }, body), snapshot)
}

/**
 * The same for an unsaved team.
 *
 * @throws DomainError as the start of a run, and as creating the team
 */
export async function showNewTeamPrompts(
  parts: ShowPromptParts & { newId: NewId },
  caller: BuilderCaller,
  {
    draft,
    message,
  }: { draft: TeamDraft & { name: string; projectId?: IdText<ProjectId> | null }; message: string },
): Promise<TeamPrompts> {
  const { read } = parts.database
  const { organizationId } = caller
  const projectId: ProjectId | null = requestedProject(caller, draft.projectId)
  await requireProject(read, organizationId, projectId)
  const named = { projectId, name: draft.name, description: null }
  const { name, config } = await usableTeamDraft(read, caller, named, draft)
  const teamId = parts.newId(TeamId)
  const snapshot = { teamId, versionId: parts.newId(TeamVersionId), organizationId, projectId, name, config }
  return callsOf(
    parts,
    playgroundRequest(parts.clock, caller, { kind: 'team', id: teamId }, { message }),
    snapshot,
  )
}

import { type CoordinationMode, isJsonObject, type TeamConfig, type TeamToggle } from '@troupe/contract'
import { teamWords } from '../messages/en/teams/teams.ts'

/** The modes in the order in which they are offered, the simplest first. */
export const MODE_ORDER = [
  'handoff',
  'parallel',
  'dynamic-delegation',
  'plan-execute',
] as const satisfies CoordinationMode[]

/** The toggles in the order in which they are shown. */
export const TOGGLE_ORDER = [
  'auto_member_input',
  'share_member_interactions',
  'members_see_team_history',
  'add_team_name',
  'add_datetime',
] as const satisfies TeamToggle[]

/** Whether a draft has the parts that the editor of a team reads; the server checks the rest. */
export function isTeamConfig(value: unknown): value is TeamConfig {
  if (!isJsonObject(value)) return false
  const { mode, lead, members, toggles, limits, memory, output, guardrails } = value
  return (
    typeof mode === 'string' &&
    Object.hasOwn(teamWords.modes, mode) &&
    isLead(lead) &&
    Array.isArray(members) &&
    members.every((member) => isJsonObject(member) && typeof member.agent === 'string') &&
    [toggles, limits, memory, output, guardrails].every(isJsonObject)
  )
}

function isLead(lead: unknown): boolean {
  if (!isJsonObject(lead)) return false
  return typeof lead.agent === 'string' || isJsonObject(lead.managed)
}

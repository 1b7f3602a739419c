import { reservedOptions } from '../../agents/config/provider-options.ts'
import { schemaExcess } from '../../agents/config/schema-excess.ts'
import type { FieldError } from '../../errors/error-body.ts'
import type { TeamConfig } from './team-config.ts'

const MOST_PARALLEL_MEMBERS = 10

/** Cross-field errors of a configuration whose individual fields are valid. */
export function crossFieldErrors(config: TeamConfig): FieldError[] {
  return [
    ...memberCountErrors(config),
    ...memberErrors(config),
    ...choiceErrors(config),
    ...leadErrors(config),
  ]
}

function memberCountErrors({ mode, lead, members }: TeamConfig): FieldError[] {
  const errors: FieldError[] = []
  if ('managed' in lead && members.length < 2) {
    errors.push({ path: 'config.members', message: 'must have at least 2 members when the lead is managed' })
  }
  if ('agent' in lead && members.length < 1) {
    errors.push({ path: 'config.members', message: 'must have at least 1 member beside the lead' })
  }
  if (mode === 'parallel' && members.length > MOST_PARALLEL_MEMBERS) {
    errors.push({
      path: 'config.members',
      message: `must have at most ${MOST_PARALLEL_MEMBERS} members in parallel mode`,
    })
  }
  return errors
}

function memberErrors({ lead, members }: TeamConfig): FieldError[] {
  const agents = members.map(({ agent }) => agent)
  return agents.flatMap((agent, index): FieldError[] => {
    const path = `config.members.${index}.agent`
    if ('agent' in lead && lead.agent === agent) {
      return [{ path, message: 'is the lead of the team, which is not listed among its members' }]
    }
    return agents.indexOf(agent) === index ? [] : [{ path, message: 'is already a member' }]
  })
}

function choiceErrors(config: TeamConfig): FieldError[] {
  const { mode, members, fallback_member: fallback, min_successful_members: least, output } = config
  const errors: FieldError[] = []
  if (fallback !== null && mode !== 'handoff') {
    errors.push({ path: 'config.fallback_member', message: 'must be null in every mode but handoff' })
  } else if (fallback !== null && members.every(({ agent }) => agent !== fallback)) {
    errors.push({ path: 'config.fallback_member', message: 'must be one of the members' })
  }
  if (least > Math.max(members.length, 1)) {
    errors.push({
      path: 'config.min_successful_members',
      message: `must be at most ${members.length}, the number of members`,
    })
  }
  if (output.mode === 'json_schema' && output.schema === null) {
    errors.push({ path: 'config.output.schema', message: 'is required when mode is json_schema' })
  }
  const excess = output.schema === null ? null : schemaExcess(output.schema)
  if (excess !== null) errors.push({ path: 'config.output.schema', message: excess })
  return errors
}

function leadErrors({ lead }: TeamConfig): FieldError[] {
  return 'managed' in lead ? reservedOptions(lead.managed.model, 'config.lead.managed.model') : []
}

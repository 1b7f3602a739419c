import { Type } from 'typebox'
import { MAX_CONFIG_BYTES, refusedShapes, TOO_LARGE } from '../../agents/config/check.ts'
import { FALLBACK_DEFAULTS } from '../../agents/config/defaults.ts'
import { guardrailErrors, UncheckedGuardrails } from '../../agents/config/guardrails.ts'
import { mergeConfig } from '../../agents/config/merge.ts'
import type { FieldError } from '../../errors/error-body.ts'
import { AgentId, checkedId } from '../../schema/ids.ts'
import { jsonBytes } from '../../schema/json-bytes.ts'
import { isJsonObject, type JsonObject } from '../../schema/json-object.ts'
import { validator } from '../../validation/validator.ts'
import { crossFieldErrors } from './cross-field-errors.ts'
import { MANAGED_LEAD_DEFAULTS, TEAM_CONFIG_DEFAULTS } from './defaults.ts'
import { AgentLead, ManagedLead, type TeamConfig, TeamConfigInput } from './team-config.ts'

// A lead is checked by its kind and a guardrail by its type, because a union would only report that no branch matches.
const withoutLead = validator(
  Type.Object(
    {
      ...TeamConfigInput.properties,
      lead: Type.Unknown(),
      guardrails: Type.Optional(UncheckedGuardrails),
    },
    { additionalProperties: false },
  ),
)
const managedLead = validator(Type.Object({ managed: ManagedLead }, { additionalProperties: false }))
const agentLead = validator(AgentLead)

/** The outcome of a merge: the complete configuration, or every failure with paths below `config`. */
export type MergedTeamConfig = { ok: true; config: TeamConfig } | { ok: false; errors: FieldError[] }

/**
 * Merges a partial configuration onto a stored one (or onto the defaults) and checks the complete result. A lead
 * replaces the stored one, except that a managed lead merges into a managed one. Ids are normalized to lower case, as
 * in the database. Does not check that the agents exist, never throws for bad input and never changes its arguments.
 */
export function mergeTeamConfig(patch: JsonObject, stored?: TeamConfig): MergedTeamConfig {
  const refused = refusedShapes(patch, 'config')
  if (refused.length > 0) return { ok: false, errors: refused }
  const defaults: JsonObject = TEAM_CONFIG_DEFAULTS
  const base = stored ? mergeConfig(defaults, { ...stored }, defaults, TeamConfigInput) : defaults
  const { lead: _, ...rest } = patch
  const merged = mergeConfig(structuredClone(base), rest, defaults, TeamConfigInput)
  const lead = mergeLead(patch.lead, stored?.lead)
  if (lead === undefined) delete merged.lead
  else merged.lead = lead

  const checked = withoutLead(merged, 'config')
  const errors = [
    ...(checked.ok ? [] : checked.errors),
    ...leadErrors(lead),
    ...guardrailErrors(merged.guardrails),
  ]
  if (jsonBytes(merged, MAX_CONFIG_BYTES) > MAX_CONFIG_BYTES) errors.push(TOO_LARGE)
  if (errors.length > 0) return { ok: false, errors }
  const config = completed(merged as unknown as TeamConfig)
  const crossed = crossFieldErrors(config)
  return crossed.length > 0 ? { ok: false, errors: crossed } : { ok: true, config }
}

/** The lead after a patch; undefined if there is none. */
function mergeLead(patch: unknown, stored: TeamConfig['lead'] | undefined): unknown {
  if (patch === undefined) return stored && mergeLead(stored, undefined)
  if (patch === null) return undefined
  const managed = isJsonObject(patch) && Object.hasOwn(patch, 'managed') ? patch.managed : undefined
  if (!isJsonObject(patch) || !(isJsonObject(managed) || managed === null)) return structuredClone(patch)
  const defaults: JsonObject = MANAGED_LEAD_DEFAULTS
  const before = stored && 'managed' in stored && managed !== null ? stored.managed : {}
  const base = mergeConfig(defaults, before, defaults, ManagedLead)
  return {
    ...structuredClone(patch),
    managed: mergeConfig(structuredClone(base), managed ?? {}, defaults, ManagedLead),
  }
}

function leadErrors(lead: unknown): FieldError[] {
  if (lead === undefined) return [] // The schema has already reported `is required`.
  const kinds = isJsonObject(lead) ? ['managed', 'agent'].filter((kind) => Object.hasOwn(lead, kind)) : []
  if (kinds.length !== 1) return [{ path: 'config.lead', message: 'must have either managed or agent' }]
  const checked = (kinds[0] === 'managed' ? managedLead : agentLead)(lead, 'config.lead')
  return checked.ok ? [] : checked.errors
}

/** Every field present, in an order that does not depend on the patches, and ids in lower case. */
function completed({ mode, lead, members, toggles, fallback_member, ...rest }: TeamConfig): TeamConfig {
  return {
    mode,
    lead:
      'managed' in lead
        ? { managed: completedLead(lead.managed) }
        : { agent: checkedId(AgentId, lead.agent) },
    members: members.map(({ agent, role }) => ({ agent: checkedId(AgentId, agent), role: role ?? null })),
    toggles,
    fallback_member: fallback_member ? checkedId(AgentId, fallback_member) : null,
    ...rest,
  }
}

function completedLead({ instructions, model }: typeof MANAGED_LEAD_DEFAULTS): typeof MANAGED_LEAD_DEFAULTS {
  const fallbacks = model.fallbacks.map((fallback) => ({
    ...structuredClone(FALLBACK_DEFAULTS),
    ...fallback,
  }))
  return { instructions, model: { ...model, fallbacks } }
}

import { AgentId, type BundleTeam, isJsonObject, type NewId, type ProjectId } from '@troupe/contract'
import { unusableBy } from '@troupe/operations/teams/require-references'
import type { AgentLookup, LlmLookup } from './lookups.ts'
import { type CredentialLookup, resolveRuleCredentials } from './resolve-credentials.ts'
import { resolveGuardrails, resolveLlmReferences } from './resolve-llm-references.ts'

/** Resolves the references of one team. `report` takes paths below the team. */
export interface TeamResolution {
  agent: AgentLookup
  llm: LlmLookup
  credential: CredentialLookup
  /** null: an organization-level team, which may use any agent and any configuration. */
  projectId: ProjectId | null
  report: (path: string, message: string) => void
  newId: NewId
}

/** A configuration in a mergeable form. */
export interface ResolvedTeam {
  config: Record<string, unknown>
  /** False when an agent is missing or invalid: the configuration then holds placeholder ids. */
  complete: boolean
}

/** The configuration of a team with every agent and LLM configuration by its id. */
export function resolveTeam(value: BundleTeam, resolution: TeamResolution): ResolvedTeam {
  const { slug, name, id, project, description, lead, members, fallback_member: fallback, ...rest } = value
  const { projectId, report } = resolution
  // A reference always maps to the same placeholder, so duplicate members are reported even when the agent is
  // missing.
  const nobody = new Map<string, string>()

  const idOf = (reference: string, path: string, may: 'be anything' | 'join') => {
    const target = resolution.agent(reference)
    if (target === undefined) report(path, `is not an agent of this organization: ${reference}`)
    if (!target) {
      const stand = nobody.get(reference) ?? resolution.newId(AgentId)
      nobody.set(reference, stand)
      return stand
    }
    const reason = may === 'join' ? unusableBy(projectId, target) : null
    if (reason !== null) report(path, `${reason}: ${reference}`)
    return target.id
  }
  const config = {
    ...rest,
    lead:
      'agent' in lead
        ? { agent: idOf(lead.agent, 'lead.agent', 'join') }
        : {
            managed: resolveLlmReferences(lead.managed, {
              lookup: resolution.llm,
              projectId,
              owner: 'team',
              report: (path, message) => report(path.replace(/^config/, 'lead.managed'), message),
            }),
          },
    members: members.map((member, index) => ({
      ...member,
      agent: idOf(member.agent, `members.${index}.agent`, 'join'),
    })),
    ...(isJsonObject(rest.guardrails) && {
      guardrails: resolveRuleCredentials(
        resolveGuardrails(rest.guardrails, 'guardrails', {
          ...{ lookup: resolution.llm, projectId, owner: 'team', report },
        }),
        'guardrails',
        { lookup: resolution.credential, projectId, owner: 'team', report },
      ),
    }),
    ...(fallback == null ? {} : { fallback_member: idOf(fallback, 'fallback_member', 'be anything') }),
  }
  return { config, complete: nobody.size === 0 }
}

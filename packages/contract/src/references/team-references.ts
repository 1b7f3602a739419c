import { propertyOf } from '../schema/json-object.ts'
import { modelReferencesAt, ruleReferences } from './agent-references.ts'
import { type ConfigReference, itemsOf, referenceAt } from './config-reference.ts'

/** All references in the configuration of a team, like `agentReferences` for an agent. */
export function teamReferences(config: Readonly<Record<string, unknown>>): ConfigReference[] {
  const { lead, members, guardrails } = config
  return [
    ...referenceAt(lead, 'agent', 'agent', 'config.lead'),
    ...modelReferencesAt(propertyOf(propertyOf(lead, 'managed'), 'model'), 'config.lead.managed.model'),
    ...itemsOf(members).flatMap((member, at) =>
      referenceAt(member, 'agent', 'agent', `config.members.${at}`),
    ),
    ...referenceAt(config, 'fallback_member', 'agent', 'config'),
    ...ruleReferences(guardrails),
  ]
}

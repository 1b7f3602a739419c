import {
  auditedCredential,
  auditedKey,
  auditedLlmConfiguration,
  auditedMcpServer,
  auditedOrganization,
  auditedProject,
} from '@troupe/operations/audit/audited-settings'
import { auditedBudget } from '@troupe/operations/budgets/audited-budget'
import { auditedKnowledgeBase } from '@troupe/operations/knowledge/given-knowledge-base'
import { auditedMember } from '@troupe/operations/members/manage-members'
import { auditedNumber, auditedTrunk } from '@troupe/operations/phone/audited-phone'
import { auditedRunnable } from '@troupe/operations/runnables/audited-runnable'
import { auditedVoiceConfiguration } from '@troupe/operations/voice-configurations/audited-voice-configuration'
import type { OrganizationPlan } from '../plan/plan-organization.ts'

type Json = Record<string, unknown>

/** A row that applying a bundle would create or change, in its audited form: without secrets. */
export interface PlannedChange {
  /** As in the audit log: `agent`, `llm_configuration`. */
  kind: string
  /** The slug, the name of an API key or a document, the address of a member, or the metric of a budget. */
  name: string
  action: 'create' | 'update'
  before: Json | null
  after: Json
}

/** Every change of a plan, in the order in which it would be written. */
export function plannedChanges(plan: OrganizationPlan): PlannedChange[] {
  const of = <B, A>(
    kind: string,
    steps: readonly { before: B | null; after: A; changed: boolean }[],
    name: (row: A) => string,
    present: { before: (row: B) => Json; after: (row: A, before: B | null) => Json },
  ): PlannedChange[] =>
    steps
      .filter(({ changed }) => changed)
      .map(({ before, after }) => ({
        kind,
        name: name(after),
        action: before === null ? 'create' : 'update',
        before: before && present.before(before),
        after: present.after(after, before),
      }))
  const same = <T>(present: (row: T) => Json) => ({ before: present, after: present })
  const { knowledgeBases } = plan
  return [
    ...of('organization', [plan.organization], ({ slug }) => slug, same(auditedOrganization)),
    ...of('project', plan.projects, ({ slug }) => slug, same(auditedProject)),
    ...of('member', plan.members, ({ email }) => email, same(auditedMember)),
    ...of('api_key', plan.apiKeys, ({ name }) => name, {
      before: (row) => keyOf(row),
      after: (row, before) => keyOf(row, before !== null && before.secretHash !== row.secretHash),
    }),
    ...of('llm_configuration', plan.llmConfigurations, ({ slug }) => slug, same(auditedLlmConfiguration)),
    ...of('credential', plan.credentials, ({ slug }) => slug, {
      before: (row) => auditedCredential(row),
      after: (row, before) =>
        auditedCredential(row, before !== null && before.sealedSecret !== row.sealedSecret),
    }),
    ...of('knowledge_base', knowledgeBases, ({ name }) => name, same(auditedKnowledgeBase)),
    ...of(
      'document',
      knowledgeBases.flatMap(({ documents }) => documents),
      ({ name }) => name,
      {
        before: ({ name, metadata }) => ({ name, metadata }),
        after: ({ name, metadata }) => ({ name, metadata }),
      },
    ),
    ...of('skill', plan.skills, ({ slug }) => slug, same(skillOf)),
    ...of('mcp_server', plan.mcpServers, ({ slug }) => slug, same(auditedMcpServer)),
    ...of('agent', plan.agents, ({ slug, name }) => slug ?? name, same(auditedRunnable)),
    ...of(
      'voice_configuration',
      plan.voiceConfigurations,
      ({ slug }) => slug,
      same(auditedVoiceConfiguration),
    ),
    ...of('phone_trunk', plan.trunks, ({ slug }) => slug, {
      before: (row) => auditedTrunk(row),
      after: (row, before) =>
        auditedTrunk(row, before !== null && before.authPasswordEnc !== row.authPasswordEnc),
    }),
    ...of('phone_number', plan.phoneNumbers, ({ slug }) => slug, same(auditedNumber)),
    ...of('team', plan.teams, ({ slug, name }) => slug ?? name, same(auditedRunnable)),
    ...of('workflow', plan.workflows, ({ slug, name }) => slug ?? name, same(workflowOf)),
    ...of('budget', plan.budgets, ({ metric }) => metric, same(auditedBudget)),
  ]
}

/** The fingerprint of a secret is meaningless before the secret is stored. */
function keyOf(key: Parameters<typeof auditedKey>[0], isReplaced = false): Json {
  const { fingerprint: _, ...settings } = auditedKey(key)
  return isReplaced ? { ...settings, secretChanged: true } : settings
}

function skillOf({
  slug,
  description,
  allowedTools,
}: Record<'slug' | 'description' | 'allowedTools', unknown>) {
  return { slug, description, allowedTools }
}

function workflowOf({
  name,
  description,
  projectId,
  draft,
}: Record<'name' | 'description' | 'projectId' | 'draft', unknown>) {
  return { name, description, projectId, draft }
}

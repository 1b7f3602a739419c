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
import { auditedNumber, auditedTrunk } from '@troupe/operations/phone/audited-phone'
import { auditedRunnable } from '@troupe/operations/runnables/audited-runnable'
import { auditedSkill } from '@troupe/operations/skills/audited-skill'
import { auditedVoiceConfiguration } from '@troupe/operations/voice-configurations/audited-voice-configuration'
import type { PublishParts } from '@troupe/operations/workflows/trigger-publisher'
import type { Actor, AuditEntry, Transaction } from '@troupe/storage'
import type { KeptFiles } from '../documents/kept-files.ts'
import type { OrganizationPlan } from '../plan/plan-organization.ts'
import type { Step } from '../resolve/step.ts'
import { writeAgent } from './write-agent.ts'
import { writeKnowledgeBase } from './write-knowledge-base.ts'
import { writeMember } from './write-member.ts'
import { writeWorkflowStep } from './write-workflow-step.ts'

type BundledKind =
  | 'organization'
  | 'project'
  | 'api_key'
  | 'llm_configuration'
  | 'credential'
  | 'knowledge_base'
  | 'skill'
  | 'mcp_server'
  | 'agent'
  | 'voice_configuration'
  | 'phone_trunk'
  | 'phone_number'
  | 'team'
  | 'budget'

/** Writes the changes of one organization, with one audit row per change. */
export async function writePlan(
  parts: PublishParts & { kept: KeptFiles },
  tx: Transaction,
  plan: OrganizationPlan,
  actor: Actor,
): Promise<void> {
  const { write } = tx
  const { id: organizationId } = plan.organization.after
  const audit = async <T extends { id: string }>(
    kind: BundledKind,
    { before, after }: Step<T>,
    projectId: AuditEntry['projectId'],
    present: (row: T) => Record<string, unknown>,
  ) => {
    await write.audit.append({
      organizationId,
      projectId,
      actor,
      action: `${kind}.${before === null ? 'created' : 'updated'}`,
      entityKind: kind,
      entityId: after.id,
      before: before && present(before),
      after: present(after),
    })
  }

  if (plan.organization.changed) {
    await write.organizations.put(plan.organization.after)
    await audit('organization', plan.organization, null, auditedOrganization)
  }
  for (const step of plan.projects.filter(({ changed }) => changed)) {
    await write.projects.put(step.after)
    await audit('project', step, step.after.id, auditedProject)
  }
  for (const step of plan.members.filter(({ changed }) => changed)) {
    await writeMember(tx, step, actor)
  }
  for (const step of plan.apiKeys.filter(({ changed }) => changed)) {
    await (step.before ? write.apiKeys.update(step.after) : write.apiKeys.insert(step.after))
    await audit('api_key', step, step.after.projectId, auditedKey)
  }
  for (const step of plan.llmConfigurations.filter(({ changed }) => changed)) {
    const { before, after } = step
    await (before ? write.llmConfigurations.update(after) : write.llmConfigurations.insert(after))
    await audit('llm_configuration', step, after.projectId, auditedLlmConfiguration)
  }
  for (const step of plan.credentials.filter(({ changed }) => changed)) {
    const { before, after } = step
    await (before ? write.credentials.update(after) : write.credentials.insert(after))
    const isReplaced = before !== null && before.sealedSecret !== after.sealedSecret
    await audit('credential', step, after.projectId, (row) =>
      auditedCredential(row, row === after && isReplaced),
    )
  }
  for (const step of plan.knowledgeBases) {
    if (step.changed || step.documents.some(({ changed }) => changed)) {
      await writeKnowledgeBase(tx, step, parts.kept)
    }
    if (step.changed) await audit('knowledge_base', step, step.after.projectId, auditedKnowledgeBase)
  }
  for (const { before, after } of plan.skills.filter(({ changed }) => changed)) {
    const { skill } = await write.skills.add(after)
    await audit('skill', { before, after: skill, changed: true }, skill.projectId, auditedSkill)
  }
  for (const step of plan.mcpServers.filter(({ changed }) => changed)) {
    await (step.before ? write.mcpServers.update(step.after) : write.mcpServers.insert(step.after))
    await audit('mcp_server', step, step.after.projectId, auditedMcpServer)
  }
  for (const step of plan.agents) {
    const written = await writeAgent(tx, step, actor)
    if (written) await audit('agent', written, written.after.projectId, auditedRunnable)
  }
  for (const step of plan.voiceConfigurations.filter(({ changed }) => changed)) {
    const { before, after } = step
    await (before ? write.voiceConfigurations.update(after) : write.voiceConfigurations.insert(after))
    await audit('voice_configuration', step, after.projectId, auditedVoiceConfiguration)
  }
  for (const step of plan.trunks.filter(({ changed }) => changed)) {
    const { before, after } = step
    await (before ? write.phone.updateTrunk(after) : write.phone.insertTrunk(after))
    const isReplaced = before !== null && before.authPasswordEnc !== after.authPasswordEnc
    await audit('phone_trunk', step, after.projectId, (row) => auditedTrunk(row, row === after && isReplaced))
  }
  for (const step of plan.phoneNumbers.filter(({ changed }) => changed)) {
    const { before, after } = step
    await (before ? write.phone.updateNumber(after) : write.phone.insertNumber(after))
    await audit('phone_number', step, after.projectId, auditedNumber)
  }
  // Every writer of a team holds or locks the organization, so `before` is the replaced row.
  for (const step of plan.teams.filter(({ changed }) => changed)) {
    const { before, after } = step
    await (before ? write.teams.update(after, actor) : write.teams.insert(after, actor))
    await audit('team', step, after.projectId, auditedRunnable)
  }
  for (const step of plan.workflows.filter(({ changed }) => changed)) {
    await writeWorkflowStep(parts, tx, step, actor)
  }
  const budgets = plan.budgets.filter(({ changed }) => changed)
  for (const step of budgets) {
    await write.budgets.put(step.after)
    await audit('budget', step, step.after.projectId, auditedBudget)
  }
  // The sweep submits the resumed runs to the engine, because a command that applies a bundle has no engine.
  if (budgets.length > 0) await tx.workflowRuns.resumeWithinBudget(organizationId)
}

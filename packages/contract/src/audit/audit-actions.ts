import { typedKeys } from '../schema/json-object.ts'

/** Every action of the audit log by kind of resource. A row with another one does not compile. */
export const AUDIT_ACTIONS = {
  agent: [
    'agent.created',
    'agent.updated',
    'agent.status_changed',
    'agent.restored',
    'agent.moved',
    'agent_version.described',
  ],
  team: [
    'team.created',
    'team.updated',
    'team.restored',
    'team.moved',
    'team.deleted',
    'team_version.described',
  ],
  workflow: [
    'workflow.created',
    'workflow.updated',
    'workflow.draft_saved',
    'workflow.published',
    'workflow.unpublished',
    'workflow.restored',
    'workflow.moved',
    'workflow.deleted',
    'workflow.undeleted',
    'workflow.version_described',
    'workflow.signing_secret_revealed',
    'workflow.signing_secret_rotated',
    'workflow.webhook_token_rotated',
    'workflow.form_token_rotated',
    'workflow.form_password_changed',
    'workflow.step_pinned',
    'workflow.pin_removed',
    'workflow.sample_changed',
    'workflow.sample_removed',
  ],
  workflow_test_case: [
    'workflow_test_case.created',
    'workflow_test_case.updated',
    'workflow_test_case.deleted',
  ],
  knowledge_base: [
    'knowledge_base.created',
    'knowledge_base.updated',
    'knowledge_base.moved',
    'knowledge_base.deleted',
  ],
  knowledge_document: [
    'knowledge_document.added',
    'knowledge_document.updated',
    'knowledge_document.reread',
    'knowledge_document.deleted',
  ],
  skill: ['skill.created', 'skill.updated', 'skill.uploaded', 'skill.moved', 'skill.deleted'],
  credential: ['credential.created', 'credential.updated', 'credential.moved', 'credential.deleted'],
  mcp_server: [
    'mcp_server.created',
    'mcp_server.updated',
    'mcp_server.moved',
    'mcp_server.tools_confirmed',
    'mcp_server.deleted',
  ],
  llm_configuration: [
    'llm_configuration.created',
    'llm_configuration.updated',
    'llm_configuration.moved',
    'llm_configuration.credentials_rotated',
    'llm_configuration.deleted',
  ],
  voice_configuration: [
    'voice_configuration.created',
    'voice_configuration.updated',
    'voice_configuration.deleted',
  ],
  phone_trunk: ['phone_trunk.created', 'phone_trunk.updated', 'phone_trunk.moved', 'phone_trunk.deleted'],
  phone_number: ['phone_number.created', 'phone_number.updated', 'phone_number.deleted'],
  do_not_call: ['do_not_call.confirmed', 'do_not_call.deleted'],
  api_key: ['api_key.created', 'api_key.updated', 'api_key.rotated', 'api_key.revoked'],
  project: ['project.created', 'project.updated', 'project.deleted'],
  organization: ['organization.created', 'organization.updated'],
  member: [
    'member.created',
    'member.joined',
    'member.updated',
    'member.removed',
    'member.password_reset_link_created',
    'member.password_reset',
  ],
  invitation: ['member.invited', 'member.invitation_withdrawn'],
  budget: ['budget.created', 'budget.updated', 'budget.deleted'],
  run: ['run.cancelled', 'run.paused', 'run.resumed', 'run.repeated'],
  session: ['session.deleted'],
  review: ['review.approved', 'review.rejected'],
  approval: ['approval.approved', 'approval.denied'],
  upload: ['upload.deleted'],
  memory: ['memory.deleted'],
  user_memories: ['user.forgotten'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The kind of resource in a row of the audit log. */
export type AuditedKind = keyof typeof AUDIT_ACTIONS

/** `<noun>.<verb>`: `agent.created`. */
export type AuditAction = (typeof AUDIT_ACTIONS)[AuditedKind][number]

export const AUDITED_KINDS: readonly AuditedKind[] = typedKeys(AUDIT_ACTIONS)

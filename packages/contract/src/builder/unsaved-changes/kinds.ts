import type { Permission } from '../../permissions/permissions.ts'

/** Kinds of things with unsaved changes on the server, each with the permission that their change needs. */
export const UNSAVED_KINDS = {
  agent: 'build',
  team: 'build',
  knowledge_base: 'build',
  skill: 'build',
  voice_configuration: 'manage',
  llm_configuration: 'manage',
  mcp_server: 'manage',
} as const satisfies Record<string, Permission>
export type UnsavedKind = keyof typeof UNSAVED_KINDS

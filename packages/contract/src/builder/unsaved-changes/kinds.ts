import type { Permission } from '../../permissions/permissions.ts'

/** The kinds of resources whose unsaved changes the server stores, each with the permission for changing it. */
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

export type * from '@troupe/builder-rows'
export type * from '@troupe/knowledge-rows'
export type * from '@troupe/ledger'
export type * from '@troupe/observation'
export {
  BrokenDatabaseError,
  DamagedDatabaseError,
  DatabaseInUseError,
  type DatabaseTrouble,
  DatabaseUnreachableError,
  databaseTrouble,
  FileLockError,
  FolderLostError,
  IncompatibleDatabaseError,
} from '@troupe/sql'
export type * from './agents/port.ts'
export type * from './api-keys/port.ts'
export type { DueApprovalNotice } from './approvals/port.ts'
export type * from './audit/port.ts'
export type * from './budgets/port.ts'
export type * from './credentials/port.ts'
export type * from './database.ts'
export type * from './forms/port.ts'
export type * from './llm-configurations/port.ts'
export type * from './mcp-servers/port.ts'
export type * from './members/port.ts'
export type * from './memories/port.ts'
export { openDatabase } from './open-database.ts'
export type * from './organizations/port.ts'
export type * from './phone/port.ts'
export type * from './projects/port.ts'
export type * from './runnables/port.ts'
export type * from './schedules/port.ts'
export type * from './secrets/port.ts'
export type * from './sessions/port.ts'
export type * from './skills/port.ts'
export type * from './teams/port.ts'
export type * from './users/port.ts'
export type * from './voice-configurations/port.ts'
export type * from './webhooks/port.ts'
export type * from './workflows/port.ts'

export { FileLockError } from '@troupe/file-locks'
export type * from './agents/port.ts'
export type * from './api-keys/port.ts'
export type { DueApprovalNotice } from './approvals/port.ts'
export type * from './audit/port.ts'
export type * from './budgets/port.ts'
export type { ApiKeyRow, ApiKeyUse } from './builder-lists/api-keys.ts'
export type { AuditFilter, AuditRow, LatestChange } from './builder-lists/audit.ts'
export type { AuditJoins } from './builder-lists/audit-joins.ts'
export type { BuilderRows } from './builder-lists/builder-rows.ts'
export type { ConfigurationQuery } from './builder-lists/configuration-rows.ts'
export type { ConnectionUserRow, CredentialRow } from './builder-lists/credentials.ts'
export type { TimelineRow } from './builder-lists/draft-history.ts'
export type { FirstSignInRows } from './builder-lists/first-sign-in.ts'
export type { LlmConfigurationRow, UserRow } from './builder-lists/llm-configurations.ts'
export type { McpServerRow } from './builder-lists/mcp-servers.ts'
export type { SignInPlaceRow } from './builder-lists/organizations.ts'
export type {
  AgentOverview,
  CountedVersion,
  DraftVersions,
  NamedModel,
  OverviewFilter,
  OverviewPage,
  Overviews,
  ResourceUse,
  RunnableDetails,
  RunnableOverviews,
  TeamOverview,
  VersionAuthor,
  VersionChanges,
  VersionContent,
  VersionRow,
  Versions,
} from './builder-lists/port.ts'
export type { ProjectRow } from './builder-lists/projects.ts'
export type {
  OwnedThingRow,
  SlugUseRow,
  ThingToMove,
  UseRow,
} from './builder-lists/resources/project-moves.ts'
export type { UploadRow } from './builder-lists/uploads.ts'
export type { VoiceConfigurationRow } from './builder-lists/voice-configurations.ts'
export type { WorkflowVersionRow } from './builder-lists/workflow-versions.ts'
export type { WorkflowRow } from './builder-lists/workflows.ts'
export type * from './credentials/port.ts'
export type * from './database.ts'
export type * from './forms/port.ts'
export type {
  ClaimedDocument,
  ClaimedRebuild,
  CountedKnowledgeBase,
  DocumentClaim,
  DocumentStatus,
  EmbeddingModel,
  GivenKnowledgeBase,
  KnowledgeBaseRecord,
  KnowledgeDocumentRecord,
  KnowledgeReader,
  KnowledgeStore,
  KnowledgeWriter,
  NewChunk,
  RebuildClaim,
} from './knowledge/port.ts'
export type * from './listeners/port.ts'
export type * from './llm-configurations/port.ts'
export type * from './mcp-servers/port.ts'
export type * from './members/port.ts'
export type * from './memories/port.ts'
export { openDatabase } from './open-database.ts'
export type * from './organizations/port.ts'
export { PassageCache } from './passages/passage-cache.ts'
export { MAX_DIMS } from './passages/vector-indexes.ts'
export type * from './phone/port.ts'
export type * from './pins/port.ts'
export type * from './projects/port.ts'
export type { Attention } from './run-explorer/port/attention.ts'
export type {
  ChangedEntry,
  ObservedChanges,
  Viewer,
  WatchedKind,
  WatchedThings,
} from './run-explorer/port/changes.ts'
export type { Observation } from './run-explorer/port/observation.ts'
export type { ObservedDay } from './run-explorer/port/observed-day.ts'
export type { RepeatableRun, RunHead } from './run-explorer/port/run-head.ts'
export type {
  FailureCause,
  ObservedKind,
  ObservedPage,
  RunFilter,
  RunHistogram,
  RunOverview,
  RunPlace,
} from './run-explorer/port/run-list.ts'
export type {
  AgentRunTrace,
  ObservedApproval,
  ObservedCall,
  ObservedMember,
  ObservedNode,
  ObservedNodes,
  ObservedNodeValues,
  ObservedPrompts,
  ReadableTexts,
  TracedRun,
  TracedTest,
  TracePlace,
  WorkflowRunTrace,
} from './run-explorer/port/run-trace.ts'
export type { SearchHit } from './run-explorer/port/search-hit.ts'
export type {
  ObservedSession,
  ObservedSessionFilter,
  ObservedTurn,
  SessionPlace,
  TracedSession,
} from './run-explorer/port/sessions.ts'
export type { SourceStep, StepSample, TestSource } from './run-explorer/port/test-source.ts'
export type { ObservedVoiceFilter, ObservedVoiceSession } from './run-explorer/port/voice-sessions.ts'
export type * from './runnables/port.ts'
export type * from './runnables/stored-port.ts'
export type { VersionOwner } from './runnables/write-version.ts'
export type * from './schedules/port.ts'
export type * from './secrets/port.ts'
export type * from './sessions/port.ts'
export type * from './skills/port.ts'
export { DatabaseInUseError } from './sql/client/database-in-use-error.ts'
export { type DatabaseTrouble, databaseTrouble } from './sql/client/database-trouble.ts'
export { storableJson } from './sql/client/storable.ts'
export { IncompatibleDatabaseError } from './sql/migrate/migrate.ts'
export { BrokenDatabaseError } from './sql/pglite/broken-database-error.ts'
export { DamagedDatabaseError } from './sql/pglite/damaged-database-error.ts'
export { FolderLostError } from './sql/pglite/folder-lock.ts'
export { DatabaseUnreachableError } from './sql/postgres/database-unreachable-error.ts'
export type * from './teams/port.ts'
export type * from './test-cases/port.ts'
export type * from './unsaved-changes/port.ts'
export type {
  UsageDay,
  UsageRank,
  UsageStore,
  UsageSum,
  VoiceDay,
  VoiceDimension,
  VoiceSum,
} from './usage-ledger/port.ts'
export type * from './users/port.ts'
export type * from './voice-configurations/port.ts'
export type * from './webhooks/port.ts'
export { hashOfParts, nodeHash, PART_HASH_BYTES, partHash } from './workflows/graph-hash.ts'
export type * from './workflows/port.ts'

export { FileLockError } from '@troupe/file-locks'
export { DatabaseInUseError } from './client/database-in-use-error.ts'
export { type DatabaseTrouble, databaseTrouble } from './client/database-trouble.ts'
export { BATCH, inBatches } from './client/in-batches.ts'
export { guardNestedUse } from './client/nested-use.ts'
export {
  type SqlClient,
  type SqlDriver,
  SqlError,
  type SqlValue,
  type Statement,
} from './client/sql-client.ts'
export {
  type BoundStatement,
  type ParameterValues,
  type Placeholders,
  statement,
} from './client/statement.ts'
export { storableJson, storableNullable, storableText } from './client/storable.ts'
export { STORED_NOW } from './client/stored-now.ts'
export { IncompatibleDatabaseError, type Migration, migrate } from './migrate/migrate.ts'
export { BrokenDatabaseError } from './pglite/broken-database-error.ts'
export { DamagedDatabaseError } from './pglite/damaged-database-error.ts'
export { FolderLostError } from './pglite/folder-lock.ts'
export { type EmbeddedPostgres, openEmbedded } from './pglite/open-embedded.ts'
export type { Upkeep } from './pglite/vacuum.ts'
export {
  DatabaseUnreachableError,
  explainConnectError,
  explainSchemaError,
} from './postgres/database-unreachable-error.ts'
export { HeldConnection } from './postgres/held-connection.ts'
export { openPool, STATEMENT_MS } from './postgres/pool-driver.ts'
export { takeReplicaLock } from './postgres/replica-lock.ts'
export { requireSessions } from './postgres/require-sessions.ts'

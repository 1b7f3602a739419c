export * from './database.ts'
export { DatabaseInUseError } from './database-in-use-error.ts'
export * from './forms/form-types.ts'
export { IncompatibleDatabaseError } from './migrate/migrate.ts'
export { openDatabase } from './open-database.ts'
export { BrokenDatabaseError } from './pglite/broken-database-error.ts'
export { prepareEmbeddedDatabase } from './pglite/database-image.ts'
export { DatabaseUnreachableError } from './postgres/database-unreachable-error.ts'
export * from './records.ts'
export type * from './schedules/schedule-port.ts'
export type { SealedSecret, SealedSecretReader, SealedSecretWriter } from './secrets/sealed-secrets.ts'
export type {
  SignInCondition,
  SignInModel,
  SignInOperator,
  SignInRow,
  SignInRows,
} from './sign-in/sign-in-rows.ts'
export { type DatabaseTrouble, databaseTrouble } from './sql/database-trouble.ts'
export * from './webhooks/webhook-types.ts'

export * from './database.ts'
export { IncompatibleDatabaseError } from './migrate/migrate.ts'
export { openDatabase } from './open-database.ts'
export { DatabaseInUseError } from './postgres/replica-lock.ts'

export * from './database.ts'
export { DatabaseInUseError } from './database-in-use-error.ts'
export { IncompatibleDatabaseError } from './migrate/migrate.ts'
export { openDatabase } from './open-database.ts'

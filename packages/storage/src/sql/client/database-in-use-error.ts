/**
 * Another process uses the database in a way that excludes this one. The message is meant for the operator.
 */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError'
}

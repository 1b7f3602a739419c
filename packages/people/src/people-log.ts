/** The log for problems of sign-ins; a pino logger is one. */
export interface PeopleLog {
  warn(message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

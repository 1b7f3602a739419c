/** Where problems of sign-ins are reported; a pino logger is one. */
export interface PeopleLog {
  warn(message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

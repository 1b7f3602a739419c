import { LONGEST_PASSWORD, mayBePassword, SHORTEST_PASSWORD } from '@troupe/secrets'
import type { Fault } from './form-parts.ts'

export const PASSWORD_HELP = `At least ${SHORTEST_PASSWORD} characters. A few words in a row are easy to remember.`

/** Validation errors of a new password. */
export function passwordFaults(field: string, password: string): Fault[] {
  if (mayBePassword(password)) return []
  const message = `The password must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`
  return [{ field, message }]
}

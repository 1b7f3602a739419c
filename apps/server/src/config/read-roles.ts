import type { Problems } from './problems.ts'
import type { Values } from './read-values.ts'

const ROLES = ['api', 'worker', 'scheduler'] as const
/** A duty of a process in the deployment: answer requests, execute jobs, or sweep and fire schedules. */
export type Role = (typeof ROLES)[number]

const isRole = (name: string): name is Role => ROLES.some((role) => role === name)

/** Reads `TROUPE_ROLES`. A process without all roles must be one of several that take the other roles. */
export function readRoles(
  values: Values,
  { replicas }: { replicas: boolean },
  problems: Problems,
): ReadonlySet<Role> {
  const names = values.list('TROUPE_ROLES')
  if (names === null) return new Set(ROLES)
  const unknown = names.filter((name) => !isRole(name))
  const left = ROLES.filter((role) => !names.includes(role))
  if (unknown.length > 0) {
    for (const name of unknown) {
      problems.add(`TROUPE_ROLES has "${name}"; the roles are api, worker and scheduler.`)
    }
  } else if (left.length === ROLES.length) {
    problems.add('TROUPE_ROLES must have at least one of api, worker and scheduler.')
  } else if (left.length > 0 && !replicas) {
    problems.add(
      `TROUPE_ROLES leaves ${left.join(' and ')} to other processes, which require DATABASE_URL, REDIS_URL and RESTATE_INGRESS_URL.`,
    )
  }
  return new Set(names.filter(isRole))
}

import { readFileSync } from 'node:fs'

/** The user account that runs the server. */
export interface Account {
  uid: number
  gid: number
}

/**
 * The account for the server: PostgreSQL refuses root, so root runs it as `postgres` or `nobody`. Null: the
 * current user.
 */
export function serverAccount(): Account | null {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user) throw new Error('PostgreSQL refuses root, and there is neither a user postgres nor nobody.')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

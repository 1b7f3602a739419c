import type { Config } from '../config/config.ts'
import { readConfig } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import { readSecrets } from '../config/secrets.ts'
import { createLogger } from '../observability/logger.ts'
import { type Context, createContext } from '../wiring/context.ts'
import { findAdminToken } from './admin-token.ts'
import type { TargetOptions } from './read-command.ts'
import { isServing, type Remote, remoteAt } from './remote.ts'

/** The target of a command: a running server, or the database itself. */
export type Target =
  | { kind: 'server'; url: string; remote: Remote }
  /** Opening creates a missing database, key or token. The caller disposes the context. */
  | { kind: 'database'; open: () => Promise<Context> }

/**
 * Finds the running server. Without `--url`, and when nothing listens there, the target is the database
 * itself, whose lock excludes every other process while it is open.
 *
 * @throws CliError or ConfigError
 */
export async function findTarget(options: TargetOptions, env: Env): Promise<Target> {
  const config = readConfig(env)
  const url = options.url?.replace(/\/+$/, '') ?? localUrl(config, env)
  if (options.url === null && !(await isServing(url))) {
    const log = createLogger({ level: 'silent' })
    const open = async () => createContext(config, await readSecrets(env, config), { log })
    return { kind: 'database', open }
  }
  return { kind: 'server', url, remote: remoteAt(url, await findAdminToken(options.token, env, config)) }
}

/** Where the server of this configuration listens, as seen from this machine. */
function localUrl({ listen, publicUrl }: Config, env: Env): string {
  if (env.values.TROUPE_PUBLIC_URL !== null) return publicUrl
  const { host, port } = listen
  const wildcard = host === '0.0.0.0' || host === '::'
  const name = wildcard ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

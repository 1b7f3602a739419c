import { DatabaseInUseError } from '@troupe/database'
import { createLogger } from '@troupe/telemetry/logger'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import { readSecrets } from '../config/secrets.ts'
import type { Context } from '../wiring/context.ts'
import { createContext } from '../wiring/create-context.ts'
import { findAdminToken } from './admin-token.ts'
import { CliError } from './cli-error.ts'
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
    const open = async () => {
      const secrets = await readSecrets(env, config)
      return createContext(config, secrets, { log }).catch((error: unknown) => {
        throw error instanceof DatabaseInUseError ? serverElsewhere(url, error) : error
      })
    }
    return { kind: 'database', open }
  }
  return { kind: 'server', url, remote: remoteAt(url, await findAdminToken(options.token, env, config)) }
}

/** The process that uses the database probably listens on another port than this configuration says. */
function serverElsewhere(url: string, { message }: DatabaseInUseError): CliError {
  return new CliError(
    `No Troupe server answers at ${url}, but one uses the database: pass its address with --url. (${message})`,
  )
}

/** Where the server of this configuration listens, as seen from this machine. */
function localUrl({ listen, publicUrl }: Config, env: Env): string {
  if (env.values.TROUPE_PUBLIC_URL !== null) return publicUrl
  const { host, port } = listen
  const wildcard = host === '0.0.0.0' || host === '::'
  const name = wildcard ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

import { DatabaseInUseError } from '@troupe/storage'
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
 * Finds the running server. Without `--url`, and if nothing listens at any address, the target is the database itself; its lock
 * excludes every other process while it is open.
 *
 * The listening address is tried before the public URL: from inside a container the public URL may be unreachable, have a
 * certificate that this process does not trust, or belong to another installation, which must not get the token.
 *
 * @throws CliError or ConfigError
 */
export async function findTarget(options: TargetOptions, env: Env): Promise<Target> {
  const config = readConfig(env)
  const given = options.url?.replace(/\/+$/, '') ?? null
  const candidates = candidatesOf(config, env)
  const url = given ?? (await firstServing(candidates))
  if (url === null) {
    const log = createLogger({ level: 'silent' })
    const open = async () => {
      const secrets = await readSecrets(env, config)
      return createContext(config, secrets, { log }).catch((error: unknown) => {
        throw error instanceof DatabaseInUseError ? serverElsewhere(candidates, error) : error
      })
    }
    return { kind: 'database', open }
  }
  return { kind: 'server', url, remote: remoteAt(url, await findAdminToken(options.token, env, config)) }
}

/**
 * The first address with a Troupe server; null if nothing listens at any of them.
 *
 * @throws CliError if the last responding address belongs to another program
 */
async function firstServing(urls: readonly string[]): Promise<string | null> {
  let refusal: CliError | null = null
  for (const url of urls) {
    try {
      if (await isServing(url)) return url
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      refusal = error
    }
  }
  if (refusal) throw refusal
  return null
}

/** The process that uses the database probably listens on another port than the configured one. */
function serverElsewhere(urls: readonly string[], { message }: DatabaseInUseError): CliError {
  return new CliError(
    `No Troupe server answers at ${urls.join(' or ')}, but one uses the database: pass its address with --url. (${message})`,
  )
}

/** Addresses of the configured server: its listening address, as seen from this machine, and its public URL. */
function candidatesOf({ listen, publicUrl }: Config, env: Env): readonly string[] {
  const { host, port } = listen
  const wildcard = host === '0.0.0.0' || host === '::'
  const name = wildcard ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const own = `http://${name}:${port}`
  return env.values.TROUPE_PUBLIC_URL === null || publicUrl === own ? [own] : [own, publicUrl]
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import { ADMIN_TOKEN_FILE } from '../config/secrets.ts'
import { CliError } from './cli-error.ts'

/**
 * The operator's token: given explicitly, from the environment, or from the data folder. Creates nothing.
 *
 * @throws CliError if there is none
 */
export async function findAdminToken(
  given: string | null,
  env: Env,
  { dataDirectory }: Config,
): Promise<string> {
  const known = given ?? env.values.TROUPE_ADMIN_TOKEN
  if (known !== null) return known
  const path = join(dataDirectory, ADMIN_TOKEN_FILE)
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch {
    throw new CliError(
      `No admin token was found: pass --token, set TROUPE_ADMIN_TOKEN, or run this command where ${path} is.`,
    )
  }
}

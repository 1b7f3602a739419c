import { guardrailSecret } from '../access/guardrail-secret.ts'
import { readConfig } from '../config/config.ts'
import type { Env } from '../config/env.ts'
import { readSecrets } from '../config/secrets.ts'
import type { Output } from './output.ts'
import type { Command } from './read-command.ts'

/**
 * `troupe guardrail-secret <url> --organization <id>`: needs the encryption key of the deployment, not its database.
 *
 * @throws ConfigError
 */
export async function guardrailSecretCommand(
  { url, organization: organizationId }: Extract<Command, { kind: 'guardrail-secret' }>,
  env: Env,
  output: Output,
): Promise<void> {
  const { encryptionKeys } = await readSecrets(env, readConfig(env))
  output.out(`${guardrailSecret(encryptionKeys, { organizationId, url })}\n`)
}

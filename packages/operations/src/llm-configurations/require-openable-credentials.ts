import type { SecretBox } from '@troupe/secrets'
import type { Database, SealedSecret } from '@troupe/storage'
import { openCredentials } from './credentials.ts'

/** Stored credentials were sealed with a key that this process lacks. The message states the remedy. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError'

  constructor(count: number, dataDirectory: string) {
    const credentials = count === 1 ? '1 stored credential was' : `${count} stored credentials were`
    super(
      `${credentials} sealed with a key that is missing. Put secret.key back into ${dataDirectory} or set ` +
        'TROUPE_SECRET_KEY; or apply a bundle that contains the credentials (troupe apply works while the server ' +
        'is stopped).',
    )
  }
}

/** Dependencies of the check. */
export interface RequireOpenableParts {
  database: Pick<Database, 'read'>
  secretBox: SecretBox
  config: { dataDirectory: string }
}

/**
 * Opens every stored credential once, so that a lost key is reported at boot instead of by every run.
 *
 * @throws MissingKeyError with the number of those that no key decrypts
 */
export async function requireOpenableCredentials(parts: RequireOpenableParts): Promise<void> {
  const { read } = parts.database
  let sealed = 0
  for (const { id } of await read.organizations.all()) {
    const records = await read.llmConfigurations.list(id)
    sealed += records.filter((record) => openCredentials(parts.secretBox, record) === null).length
    // The context of a job is lost with its key, which must not prevent the boot.
    const secrets = (await read.sealedSecrets.list(id)).filter(
      ({ purpose }) => purpose !== 'run.tool_context',
    )
    sealed += secrets.filter((secret) => !opens(parts.secretBox, secret)).length
  }
  if (sealed > 0) throw new MissingKeyError(sealed, parts.config.dataDirectory)
}

function opens(box: SecretBox, { envelope, ...place }: SealedSecret): boolean {
  try {
    box.open(envelope, place)
    return true
  } catch {
    return false
  }
}

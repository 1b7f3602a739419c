import { randomBytes } from 'node:crypto'
import { type EncryptionKey, parseEncryptionKeys } from '@troupe/secrets'
import type { Config } from './config.ts'
import { readOrCreateFile } from './data-folder.ts'
import type { Env } from './env.ts'
import { ConfigError } from './problems.ts'

/** File names in the data folder. */
const KEY_FILE = 'secret.key'
export const ADMIN_TOKEN_FILE = 'admin.token'

/** Values that must never be printed. Kept apart from `Config`, so that they are not logged by accident. */
export interface Secrets {
  /** The first key encrypts, all of them decrypt. */
  encryptionKeys: readonly [EncryptionKey, ...EncryptionKey[]]
  adminToken: string
  /** null: metrics are read with the admin token. */
  metricsToken: string | null
  /** null: the setup of the first owner needs the admin token. */
  setupToken: string | null
  /** null: the embedded database. */
  databaseUrl: string | null
  /** null: rate limits in memory. */
  redisUrl: string | null
  /** null: no e-mail. */
  smtpUrl: string | null
  /** null: files on the disk. */
  s3: { accessKeyId: string; secretAccessKey: string } | null
  /** null: no voice. */
  voice: VoiceSecrets | null
}

/** Secrets of LiveKit, and of the listener for voice workers. */
export interface VoiceSecrets {
  apiKey: string
  apiSecret: string
  internalToken: string
}

/**
 * Reads the secrets from the environment; creates the key file and the admin token of the embedded defaults.
 *
 * @throws ConfigError if a key is unusable
 */
export async function readSecrets(env: Env, config: Config): Promise<Secrets> {
  const fromEnv = env.values.TROUPE_SECRET_KEY
  const isAlone = config.database.kind === 'pglite' || !config.database.replicas
  const parsed = parseEncryptionKeys(
    fromEnv ?? (await readOrCreateFile(config.dataDirectory, KEY_FILE, isAlone ? generateKey : refuseKey)),
  )
  if (!parsed.ok) {
    const source = fromEnv ? 'TROUPE_SECRET_KEY' : `The key file ${KEY_FILE} in ${config.dataDirectory}`
    throw new ConfigError(parsed.problems.map((problem) => `${source} cannot be used. ${problem}`))
  }
  const adminToken =
    env.values.TROUPE_ADMIN_TOKEN ??
    (await readOrCreateFile(config.dataDirectory, ADMIN_TOKEN_FILE, generateToken))
  if (!/^[\x21-\x7e]{8,}$/.test(adminToken)) {
    throw new ConfigError([
      `The file ${ADMIN_TOKEN_FILE} in ${config.dataDirectory} has no usable token. Delete it to generate a new one.`,
    ])
  }
  return {
    encryptionKeys: parsed.keys,
    adminToken,
    metricsToken: env.values.TROUPE_METRICS_TOKEN,
    setupToken: env.values.TROUPE_SETUP_TOKEN,
    databaseUrl: env.values.DATABASE_URL,
    redisUrl: env.values.REDIS_URL,
    smtpUrl: env.values.SMTP_URL,
    s3: readS3(env),
    voice: readVoiceSecrets(env),
  }
}

/** Complete or null: `readConfig` has rejected partial settings. */
function readS3({ values }: Env): Secrets['s3'] {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  return accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey }
}

/** Complete or null: `readConfig` has rejected partial settings. */
export function readVoiceSecrets({ values }: Env): VoiceSecrets | null {
  const {
    LIVEKIT_API_KEY: apiKey,
    LIVEKIT_API_SECRET: apiSecret,
    VOICE_INTERNAL_TOKEN: internalToken,
  } = values
  return apiKey === null || apiSecret === null || internalToken === null
    ? null
    : { apiKey, apiSecret, internalToken }
}

/** Processes with separate data folders would each create a key and could not decrypt each other's values. */
function refuseKey(): never {
  throw new ConfigError([
    `TROUPE_SECRET_KEY is not set, but several processes may share this database, and all of them need the same key. Create one, and set it for every process: echo "k1:$(openssl rand -base64 32)"`,
  ])
}

function generateKey(): string {
  return `k1:${randomBytes(32).toString('base64url')}`
}

function generateToken(): string {
  return `trp_admin_${randomBytes(32).toString('base64url')}`
}

import { type Mailer, noMailer, smtpMailer } from '@troupe/mail'
import { createMemoryLimiter, type RateLimiter } from '@troupe/rate-limits'
import { type Database, openDatabase } from '@troupe/storage'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'

/** The embedded database, or PostgreSQL if its URL is set. */
export function openStorage(
  config: Config,
  secrets: Secrets,
  told: { log: Logger; onBroken: (error: Error) => void },
): Promise<Database> {
  if (config.database.kind === 'pglite') {
    const { log, onBroken } = told
    return openDatabase({ ...config.database, onBroken, notice: (text) => log.info(text) })
  }
  const { poolSize, replicas } = config.database
  return openDatabase({ kind: 'postgres', url: secrets.databaseUrl ?? '', poolSize, replicas })
}

/** E-mail by SMTP; without a mail server, e-mails are logged as not sent. */
export function createMailer({ mail }: Config, { smtpUrl }: Secrets, log: Logger): Mailer {
  return mail === null || smtpUrl === null ? noMailer(log) : smtpMailer(smtpUrl, mail.from)
}

/** Counters in Redis if its URL is set, else in memory. The Redis client is loaded only if it is used. */
export async function createRateLimiter({ redisUrl }: Secrets, log: Logger): Promise<RateLimiter> {
  if (redisUrl === null) return createMemoryLimiter()
  const { createRedisLimiter } = await import('@troupe/rate-limits/redis')
  return createRedisLimiter(redisUrl, { warn: (text) => log.warn(text), info: (text) => log.info(text) })
}

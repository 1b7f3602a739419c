import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { memoryCounter } from './memory-limiter.ts'
import { type RateLimiter, WINDOW_SECONDS } from './rate-limiter.ts'
import { UNREACHABLE_POINTS, WindowLimiter } from './window-limiter.ts'

/** Milliseconds. Longer than any healthy response, too short for a caller to notice. */
const COMMAND_TIMEOUT_MS = 500

/** The limiter's log about its store. Messages contain no address and no password. */
export interface StoreLog {
  warn(message: string): void
  info(message: string): void
}

/**
 * Counts in Redis or Valkey, shared by every process of the deployment. While the store is down, each process
 * counts in memory and logs that once.
 */
export function createRedisLimiter(
  url: string,
  log: StoreLog,
  windowSeconds: number = WINDOW_SECONDS,
): RateLimiter {
  const redis = new Redis(url, {
    // A command fails immediately instead of waiting for a connection, and the in-memory fallback is used.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
  })
  let healthy = true
  const down = () => {
    if (healthy) log.warn('Redis does not answer: rate limits are counted in this process until it does.')
    healthy = false
  }
  redis.on('error', down)
  redis.on('close', down)
  redis.on('ready', () => {
    if (!healthy) log.info('Redis answers again: rate limits are counted there.')
    healthy = true
  })
  const counter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'troupe:rate',
    points: UNREACHABLE_POINTS,
    duration: windowSeconds,
    rejectIfRedisNotReady: true,
    insuranceLimiter: memoryCounter(windowSeconds),
  })
  return new WindowLimiter(counter, async () => {
    redis.removeAllListeners('close')
    redis.disconnect()
  })
}

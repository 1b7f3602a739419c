import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { memoryCounter } from './memory-limiter.ts'
import { type RateLimiter, WINDOW_SECONDS } from './rate-limiter.ts'
import { RememberingCounter } from './remembering-counter.ts'
import { UNREACHABLE_POINTS, WindowLimiter } from './window-limiter.ts'

/** The limiter's log about its store. Messages contain no address and no password. */
export interface StoreLog {
  warn(message: string): void
  info(message: string): void
}

/**
 * Counts in Redis or Valkey, shared by every process of the deployment. While the store is down, each process
 * counts in memory, from the last count that it knows, and logs that once. A store that comes back empty does not reset a limit.
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
    connectTimeout: 2_000,
    // Without it, a silently cut connection would hold commands for a quarter of an hour.
    socketTimeout: 5_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
  })
  let healthy = true
  let wasReady = false
  const down = () => {
    if (healthy) log.warn('Redis does not answer: rate limits are counted in this process until it does.')
    healthy = false
  }
  redis.on('error', down)
  redis.on('close', down)
  const up = () => {
    if (!healthy) log.info('Redis answers again: rate limits are counted there.')
    healthy = true
  }
  redis.on('ready', () => {
    wasReady = true
    up()
  })
  const counter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'troupe:rate',
    points: UNREACHABLE_POINTS,
    duration: windowSeconds,
    rejectIfRedisNotReady: true,
  })
  const memory = { counts: memoryCounter(windowSeconds), alone: memoryCounter(windowSeconds) }
  const remembering = new RememberingCounter(counter, memory, {
    answered: up,
    // Before the first connection, its failure is reported separately.
    failed: () => wasReady && down(),
  })
  return new WindowLimiter(remembering, async () => {
    redis.removeAllListeners('close')
    redis.disconnect()
  })
}

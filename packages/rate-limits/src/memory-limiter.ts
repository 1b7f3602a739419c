import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type RateLimiter, WINDOW_SECONDS } from './rate-limiter.ts'
import { UNREACHABLE_POINTS, WindowLimiter } from './window-limiter.ts'

/** Counts in this process. */
export function createMemoryLimiter(windowSeconds: number = WINDOW_SECONDS): RateLimiter {
  return new WindowLimiter(memoryCounter(windowSeconds))
}

/** The counter itself; also the fallback of the Redis limiter. */
export function memoryCounter(windowSeconds: number): RateLimiterMemory {
  return new RateLimiterMemory({ points: UNREACHABLE_POINTS, duration: windowSeconds })
}

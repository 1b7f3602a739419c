import { availableParallelism } from 'node:os'
import { readVariables } from '@troupe/telemetry/variable-files'
import type { Environment } from './env.ts'
import { forbiddenVariables } from './forbidden-variables.ts'

/** The configuration of a voice worker. */
export interface WorkerConfig {
  livekit: { wsUrl: string; apiKey: string; apiSecret: string }
  /** The server's internal listener. */
  server: { url: string; token: string }
  /** Max concurrent jobs. */
  maxJobs: number
  /** Idle child processes that wait for a job; at least 1. */
  idleProcesses: number
  drainTimeoutS: number
  /** Port of the worker's health page on 127.0.0.1. */
  healthPort: number
  logLevel: string
}

/** The environment is not a valid configuration of a worker; each line of the message is one problem. */
export class WorkerConfigError extends Error {
  override readonly name = 'WorkerConfigError'
}

/** Every variable that a worker reads; each may also be in a file named by `NAME_FILE`. */
const VARIABLES = [
  'LIVEKIT_HTTP_URL',
  'LIVEKIT_API_KEY',
  'LIVEKIT_API_SECRET',
  'VOICE_INTERNAL_URL',
  'VOICE_INTERNAL_TOKEN',
  'VOICE_MAX_JOBS',
  'VOICE_IDLE_PROCESSES',
  'VOICE_DRAIN_TIMEOUT_S',
  'VOICE_WORKER_PORT',
  'VOICE_LOG_LEVEL',
] as const

/** @throws WorkerConfigError */
export function readWorkerConfig(environment: Environment, cores = availableParallelism()): WorkerConfig {
  const { values: env, problems } = readVariables(VARIABLES, environment)
  const forbidden = forbiddenVariables(environment)
  if (forbidden.length > 0) {
    problems.push(
      `${forbidden.join(', ')} must not be set: the worker would use services outside this deployment.`,
    )
  }
  const text = (name: (typeof VARIABLES)[number]) => {
    const value = env[name]?.trim()
    if (!value) problems.push(`${name} is not set.`)
    return value ?? ''
  }
  const integer = (name: (typeof VARIABLES)[number], standard: number, [least, most]: [number, number]) => {
    const given = env[name]?.trim()
    if (!given) return standard
    const value = Number(given)
    if (Number.isInteger(value) && value >= least && value <= most) return value
    problems.push(`${name} must be a whole number from ${least} to ${most}.`)
    return standard
  }
  const config = {
    livekit: {
      wsUrl: text('LIVEKIT_HTTP_URL').replace(/^http/, 'ws'),
      apiKey: text('LIVEKIT_API_KEY'),
      apiSecret: text('LIVEKIT_API_SECRET'),
    },
    server: {
      url: env.VOICE_INTERNAL_URL?.trim() || 'http://127.0.0.1:7081',
      token: text('VOICE_INTERNAL_TOKEN'),
    },
    maxJobs: integer('VOICE_MAX_JOBS', cores * 4, [1, 1_000]),
    idleProcesses: integer('VOICE_IDLE_PROCESSES', Math.min(cores, 4), [1, 100]),
    drainTimeoutS: integer('VOICE_DRAIN_TIMEOUT_S', 600, [0, 7_200]),
    healthPort: integer('VOICE_WORKER_PORT', 8_081, [1, 65_535]),
    logLevel: env.VOICE_LOG_LEVEL?.trim() || 'info',
  }
  if (problems.length > 0) throw new WorkerConfigError(problems.join('\n'))
  return config
}

import type { Environment } from './env.ts'

/** Each of them makes LiveKit's SDK call a hosted service or take another name. */
const FORBIDDEN = [
  'LIVEKIT_INFERENCE_URL',
  'LIVEKIT_REMOTE_EOT_URL',
  'LIVEKIT_DEV_MODE',
  'LIVEKIT_AGENT_NAME_OVERRIDE',
]

/** The variables that are set although a worker must not have them. */
export function forbiddenVariables(env: Environment): string[] {
  return FORBIDDEN.filter((name) => (env[name] ?? '') !== '')
}

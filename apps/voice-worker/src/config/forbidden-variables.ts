import type { Environment } from './env.ts'

/** Variables that make LiveKit's SDK call a hosted service or use another name. */
const FORBIDDEN = [
  'LIVEKIT_INFERENCE_URL',
  'LIVEKIT_REMOTE_EOT_URL',
  'LIVEKIT_DEV_MODE',
  'LIVEKIT_AGENT_NAME_OVERRIDE',
]

/** The forbidden variables that are set. */
export function forbiddenVariables(env: Environment): string[] {
  return FORBIDDEN.filter((name) => (env[name] ?? '') !== '')
}

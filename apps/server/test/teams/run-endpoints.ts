import type { TeamSetting } from './team-setting.ts'

/** The three ways to run a team. */
export const RUN_ENDPOINTS = ['run-sync', 'run-stream', 'run-async'] as const
export type RunEndpoint = (typeof RUN_ENDPOINTS)[number]

/** One request over a real connection, which a stream needs. The key is the organization's by default; null: none. */
export async function requestRun(
  { origin, server }: TeamSetting,
  endpoint: RunEndpoint,
  teamId: string,
  body: object | string,
  key: string | null = server.seed.keys.organization,
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${origin}/api/v1/teams/${teamId}/${endpoint}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== null && { 'x-api-key': key }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text }
}

import type { TeamSetting } from './team-setting.ts'

/** The three ways to run a team. */
export const DOORS = ['run-sync', 'run-stream', 'run-async'] as const
export type Door = (typeof DOORS)[number]

/** One request over a real connection, because a stream has one. The key is the organization's unless given; null: none. */
export async function knock(
  { origin, server }: TeamSetting,
  door: Door,
  teamId: string,
  body: object | string,
  key: string | null = server.seed.keys.organization,
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${origin}/api/v1/teams/${teamId}/${door}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== null && { 'x-api-key': key }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text }
}

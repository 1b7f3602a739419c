import { RoomServiceClient } from 'livekit-server-sdk'
import type { MediaServers } from '../servers/start-media-servers.ts'

/** The names of the media server's rooms, each with its participants. */
export async function liveRooms({
  httpUrl,
  apiKey,
  apiSecret,
}: Pick<MediaServers, 'httpUrl' | 'apiKey' | 'apiSecret'>): Promise<Record<string, string[]>> {
  const client = new RoomServiceClient(httpUrl, apiKey, apiSecret, { requestTimeout: 5, failover: false })
  const rooms = await client.listRooms()
  const entries = rooms.map(async ({ name }): Promise<[string, string[]]> => {
    // A room may end between the two requests.
    const participants = await client.listParticipants(name).catch(() => [])
    return [name, participants.map(({ identity }) => identity)]
  })
  return Object.fromEntries(await Promise.all(entries))
}

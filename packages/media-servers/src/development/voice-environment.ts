import type { MediaServers } from '../servers/start-media-servers.ts'

/** The environment with the media servers for a server and a voice worker on this machine. */
export function voiceEnvironment(
  media: Pick<MediaServers, 'httpUrl' | 'wsUrl' | 'apiKey' | 'apiSecret' | 'sipHealthUrl'>,
  { internalPort, internalToken }: { internalPort: number; internalToken: string },
): Record<string, string> {
  return {
    LIVEKIT_HTTP_URL: media.httpUrl,
    LIVEKIT_API_KEY: media.apiKey,
    LIVEKIT_API_SECRET: media.apiSecret,
    ...(media.sipHealthUrl === null ? {} : { LIVEKIT_SIP_HEALTH_URL: media.sipHealthUrl }),
    VOICE_PUBLIC_WS_URL: media.wsUrl,
    VOICE_INTERNAL_LISTEN: `127.0.0.1:${internalPort}`,
    VOICE_INTERNAL_URL: `http://127.0.0.1:${internalPort}`,
    VOICE_INTERNAL_TOKEN: internalToken,
    VOICE_IDLE_PROCESSES: '1',
    VOICE_DRAIN_TIMEOUT_S: '5',
  }
}

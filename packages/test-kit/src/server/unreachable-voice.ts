/** The environment of a server with voice, with an unresponsive media server on this machine. */
export function unreachableVoice(): Record<string, string> {
  return {
    LIVEKIT_HTTP_URL: 'http://127.0.0.1:9',
    LIVEKIT_API_KEY: 'devkey',
    LIVEKIT_API_SECRET: 'a-secret-of-32-characters-or-more-71c0',
    VOICE_PUBLIC_WS_URL: 'ws://127.0.0.1:9',
    VOICE_INTERNAL_TOKEN: 'a-random-token-of-voice-workers-7f3c91',
    VOICE_INTERNAL_LISTEN: '127.0.0.1:0',
  }
}

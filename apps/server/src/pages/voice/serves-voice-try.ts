import type { VoiceConfig } from '../../config/read-voice.ts'

/**
 * Whether people can talk to agents at `/voice/try`: only where the media server is on this machine (`ws:`), because these
 * sessions take slots of an API key of the organization.
 *
 * @param voice null: voice is not served
 */
export function servesVoiceTry(voice: Pick<VoiceConfig, 'publicWsUrl'> | null): boolean {
  return voice?.publicWsUrl.startsWith('ws:') ?? false
}

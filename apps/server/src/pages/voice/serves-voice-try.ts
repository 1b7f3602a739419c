import type { VoiceConfig } from '../../config/read-voice.ts'

/**
 * Whether `/voice/try` is served: only if the media server is on this machine (`ws:`), because its sessions take slots of an API
 * key of the organization.
 *
 * @param voice null: voice is not configured
 */
export function servesVoiceTry(voice: Pick<VoiceConfig, 'publicWsUrl'> | null): boolean {
  return voice?.publicWsUrl.startsWith('ws:') ?? false
}

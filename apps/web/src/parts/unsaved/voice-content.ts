import { isJsonObject, STT_PROVIDERS, TTS_PROVIDERS, type VoiceSettings } from '@troupe/contract'
import type { UpdateVoiceConfigurationBody, VoiceConfiguration } from '@troupe/contract/builder'
import type { ConfigContent } from '@troupe/editor/values/config-content'
import { CallFailure } from '../../infrastructure/client/call-failure.ts'
import type { SavedContent } from './saved-content.ts'

/** A voice configuration in its editor's form: `name` is its slug, everything else is in `config`. */
export function savedVoice(stored: VoiceConfiguration): SavedContent {
  const { slug, version, changedBy, updatedAt, agentId, settings } = stored
  const { sttProvider, ttsProvider, sttCredentialId, ttsCredentialId } = stored
  return {
    name: slug,
    description: null,
    config: { agentId, sttProvider, ttsProvider, sttCredentialId, ttsCredentialId, settings },
    versionId: String(version),
    versionNumber: version,
    changedBy: { name: changedBy?.name ?? null },
    updatedAt,
    usedBy: [],
  }
}

/** The editor's content, in the operation's format. A provider unknown to this build is kept as stored. */
export function voiceFields({ name, config }: ConfigContent): Omit<UpdateVoiceConfigurationBody, 'version'> {
  const sttProvider = STT_PROVIDERS.find((id) => id === config.sttProvider)
  const ttsProvider = TTS_PROVIDERS.find((id) => id === config.ttsProvider)
  return {
    slug: name.trim(),
    agentId: String(config.agentId),
    ...(sttProvider ? { sttProvider } : {}),
    ...(ttsProvider ? { ttsProvider } : {}),
    sttCredentialId: idOrNull(config.sttCredentialId),
    ttsCredentialId: idOrNull(config.ttsCredentialId),
    settings: isSettings(config.settings) ? config.settings : {},
  }
}

/** A refusal of the server with the paths of the editor: `config.settings.tts.speed`. */
export function asVoiceFailure(failure: CallFailure): CallFailure {
  const { code, message, status, requestId, current, retryAfterSeconds } = failure
  const errors = failure.errors.map((error) => ({ ...error, path: editorPath(error.path) }))
  return new CallFailure(code, message, { status, requestId, current, retryAfterSeconds, errors })
}

const editorPath = (path: string) => (path === 'slug' ? 'name' : `config.${path}`)
const idOrNull = (id: unknown) => (typeof id === 'string' ? id : null)

/** Whether it is an object. The server checks its contents, including JSON input. */
function isSettings(value: unknown): value is VoiceSettings {
  return isJsonObject(value)
}

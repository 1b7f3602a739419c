import {
  type FieldError,
  mergeAgentConfig,
  mergeTeamConfig,
  Slug,
  VoiceSettings,
  validator,
} from '@troupe/contract'
import type { ConfigContent } from '@troupe/editor/values/config-content'

/** Resources with versions and an editor. */
export type ConfigKind = 'agent' | 'team'
/** The content of an editor. */
export type EditedKind = ConfigKind | 'voice_configuration'

const LONGEST_NAME = 128

/**
 * The problems of a content by the contract's own rules; only the server checks references. Import it on demand: it brings the
 * schemas of the contract.
 */
export function checkContent(kind: EditedKind, { name, config }: ConfigContent): FieldError[] {
  if (kind === 'voice_configuration') return voiceErrors(name, config.settings)
  const merged = kind === 'agent' ? mergeAgentConfig(config) : mergeTeamConfig(config)
  return [...nameErrors(name), ...(merged.ok ? [] : merged.errors)]
}

function nameErrors(name: string): FieldError[] {
  if (name.trim() === '') return [{ path: 'name', message: 'is required' }]
  if (name.length > LONGEST_NAME) {
    return [{ path: 'name', message: `must have at most ${LONGEST_NAME} characters` }]
  }
  return []
}

const checkSlug = validator(Slug)
const checkSettings = validator(VoiceSettings)

function voiceErrors(slug: string, settings: unknown): FieldError[] {
  const checked = [checkSlug(slug.trim(), 'name'), checkSettings(settings, 'config.settings')]
  return checked.flatMap((one) => (one.ok ? [] : one.errors))
}

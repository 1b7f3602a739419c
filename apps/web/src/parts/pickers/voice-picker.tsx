import type { IdText, ProjectId, VoiceConfigurationId } from '@troupe/contract'
import type { ReactNode } from 'react'
import { SearchPicker } from './search-picker.tsx'
import { VOICE_CONFIGURATIONS } from './searched-lists.ts'
import { useChoices } from './use-choices.ts'

export interface VoicePickerProps {
  label: string
  description?: ReactNode
  error?: string | null
  /** The text of the empty field: "Nobody". */
  none: string
  /** Shown for a selected voice that is no longer available. */
  gone: string
  /** null: none. */
  value: string | null
  onChange(voiceConfigId: IdText<VoiceConfigurationId> | null): void
  /** The project of the trunk, on which only its own agents speak; null: all agents. */
  projectId: IdText<ProjectId> | null
}

/** The voice of an agent, found by the agent's name. */
export function VoicePicker({ value, onChange, projectId, error, none, gone, ...field }: VoicePickerProps) {
  const voices = useChoices(VOICE_CONFIGURATIONS, value ? [value] : [])
  const maySpeak = (voice: { projectId: IdText<ProjectId> | null }) =>
    projectId === null || voice.projectId === projectId
  const known = value === null ? undefined : voices.thing(value)
  const isGone = value !== null && (known ? !maySpeak(known) : !voices.isLoading && voices.isGone(value))
  return (
    <SearchPicker
      {...field}
      isOptional
      placeholder={none}
      value={value}
      name={known?.agentName ?? null}
      options={voices.found
        .filter(maySpeak)
        .map(({ voiceConfigId, agentName, slug }) => ({ id: voiceConfigId, label: agentName, detail: slug }))}
      onType={voices.onType}
      isSearching={voices.isSearching}
      onChange={onChange}
      error={error ?? voices.failure?.message ?? (isGone ? gone : null)}
    />
  )
}

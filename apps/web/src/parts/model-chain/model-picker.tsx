import type { LlmConfiguration } from '@troupe/contract/builder'
import { useState } from 'react'
import { ComboBox } from '../../atoms/controls/combo-box.tsx'
import { modelChainWords as words } from '../../core/messages/en/model-chain.ts'
import { MODEL_LINK_WORDS } from '../../core/messages/en/model-link.ts'
import type { ConfigForm } from '../config-form/config-form.ts'
import { SettingFrame, SettingGrid } from '../config-form/setting-frame.tsx'
import { OptionPicker } from '../pickers/option-picker.tsx'
import {
  chosenConfiguration,
  configurationOptions,
  DEFAULT_CONFIGURATION,
  FIRST_MODEL,
  type LlmChoices,
  modelName,
  modelOptions,
} from './llm-choices.ts'

export interface ModelPickerProps {
  form: ConfigForm
  /** The path of `llm_config_id` and `model_id`: `model.primary`. */
  at: string
  choices: LlmChoices
}

/** A configuration and one of its models. */
export function ModelPicker({ form, at, choices }: ModelPickerProps) {
  const [configPath, modelPath] = [`${at}.llm_config_id`, `${at}.model_id`]
  const chosen = textOrNull(form.value(configPath))
  const modelId = textOrNull(form.value(modelPath))
  const configuration = chosenConfiguration(choices, chosen)
  const choose = (id: string) => {
    const next = id === DEFAULT_CONFIGURATION ? null : id
    form.set(configPath, next)
    const keeps = chosenConfiguration(choices, next)?.models.some((model) => model.modelId === modelId)
    if (modelId !== null && !keeps) form.set(modelPath, null)
  }
  return (
    <SettingGrid>
      <SettingFrame form={form} path={configPath}>
        <OptionPicker
          label={MODEL_LINK_WORDS.llm_config_id.label}
          value={chosen ?? DEFAULT_CONFIGURATION}
          onChange={choose}
          options={configurationOptions(choices, chosen)}
          error={form.errorAt(configPath)}
          isDisabled={form.isReadOnly}
        />
      </SettingFrame>
      <SettingFrame form={form} path={modelPath}>
        <ModelField
          configuration={configuration}
          modelId={modelId}
          onChange={(id) => form.set(modelPath, id)}
          error={form.errorAt(modelPath)}
          isDisabled={form.isReadOnly}
        />
      </SettingFrame>
    </SettingGrid>
  )
}

interface ModelFieldProps {
  configuration: LlmConfiguration | null
  /** null: the first model of the configuration. */
  modelId: string | null
  onChange(modelId: string | null): void
  error: string | null
  isDisabled: boolean
}

/** One selection of a model. The typed text is a search until a selection; then the text is its label. */
function ModelField({ configuration, modelId, onChange, error, isDisabled }: ModelFieldProps) {
  const shown =
    modelId === null ? words.firstModel(modelName(configuration, null)) : modelName(configuration, modelId)
  const chosen = modelId ?? FIRST_MODEL
  const [typed, setTyped] = useState<string | null>(null)
  const [before, setBefore] = useState(shown)
  if (before !== shown) {
    setBefore(shown)
    setTyped(null)
  }
  return (
    <ComboBox
      label={MODEL_LINK_WORDS.model_id.label}
      value={chosen}
      onChange={(id) => {
        if (id === null) return
        setTyped(null)
        if (id !== chosen) onChange(id === FIRST_MODEL ? null : id)
      }}
      // Typed text without a selection would look like one.
      onLeave={() => setTyped(null)}
      options={modelOptions(configuration, modelId, typed === null || typed === shown ? '' : typed)}
      search={{ text: typed ?? shown, onChange: setTyped }}
      placeholder={words.findModel}
      error={error}
      isDisabled={isDisabled}
    />
  )
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

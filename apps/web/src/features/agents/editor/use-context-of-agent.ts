import { defaultModel, type IdText, type ProjectId } from '@troupe/contract'
import { useLlmConfigurations } from '../../../infrastructure/queries/use-whole-list.ts'
import { type ConfigForm, textAt } from '../../../parts/config-form/config-form.ts'
import { chosenConfiguration, llmChoices } from '../../../parts/model-chain/llm-choices.ts'

/** The primary model's context length in tokens; null: not configured. */
export function useContextOfAgent(form: ConfigForm, projectId: IdText<ProjectId> | null): number | null {
  const asked = useLlmConfigurations()
  if (!asked.data) return null
  const chosen = textAt(form, 'model.primary.llm_config_id') || null
  const modelId = textAt(form, 'model.primary.model_id') || null
  const models = chosenConfiguration(llmChoices(asked.data, projectId), chosen)?.models ?? []
  const model = modelId === null ? defaultModel(models) : models.find((one) => one.modelId === modelId)
  return model?.contextLength ?? null
}

import { defaultModel, type IdText, type ProjectId } from '@troupe/contract'
import type { LlmConfiguration } from '@troupe/contract/builder'
import type { Option } from '../../atoms/controls/option-list.tsx'
import { compactNumber, money } from '../../core/format/numbers.ts'
import { modelChainWords as words } from '../../core/messages/en/model-chain.ts'
import { isUsableIn } from '../pickers/usable-in.ts'

/** The choice of no configuration: the default of the project, or else of the organization. */
export const DEFAULT_CONFIGURATION = 'default'

/** The configurations that an agent or a team may use, and the default one. */
export interface LlmChoices {
  all: readonly LlmConfiguration[]
  /** null: neither the project nor the organization has one. */
  standard: LlmConfiguration | null
}

/** The choices of an agent or a team; `projectId` null: it belongs to the organization and may use every project's. */
export function llmChoices(
  all: readonly LlmConfiguration[],
  projectId: IdText<ProjectId> | null,
): LlmChoices {
  const visible = all.filter((one) => isUsableIn(projectId, one))
  const standardOf = (project: string | null) =>
    visible.find((one) => one.default && one.projectId === project) ?? null
  return { all: visible, standard: standardOf(projectId) ?? standardOf(null) }
}

/** The chosen configuration; null: it is deleted, or there is no default. */
export function chosenConfiguration(
  { all, standard }: LlmChoices,
  id: string | null,
): LlmConfiguration | null {
  return id === null ? standard : (all.find(({ llmConfigId }) => llmConfigId === id) ?? null)
}

/** The default first; a chosen configuration that is deleted is still listed. */
export function configurationOptions({ all, standard }: LlmChoices, chosen: string | null): Option[] {
  const isGone = chosen !== null && all.every(({ llmConfigId }) => llmConfigId !== chosen)
  return [
    { id: DEFAULT_CONFIGURATION, label: standard ? words.defaultOf(standard.name) : words.noDefault },
    ...all.map(({ llmConfigId, name, providerId, projectName, status }) => ({
      id: llmConfigId,
      label: name,
      detail: [
        providerId,
        ...(projectName ? [projectName] : []),
        ...(status === 'connected' ? [] : [words.off]),
      ].join(' · '),
      isDisabled: status !== 'connected' && llmConfigId !== chosen,
    })),
    ...(isGone ? [{ id: chosen, label: words.gone }] : []),
  ]
}

/** The choice of no model: the first one of the configuration. */
export const FIRST_MODEL = 'first'

const MODEL_ID = /^[A-Za-z0-9._:@/+-]{1,256}$/

/**
 * The models of a configuration that match the typed text, the selected one even if it is unlisted, and the typed id itself if the
 * configuration allows it.
 */
export function modelOptions(
  configuration: LlmConfiguration | null,
  chosen: string | null,
  typed: string,
): Option[] {
  const models = configuration?.models ?? []
  const [first] = models
  const needle = typed.trim().toLowerCase()
  const listed: Option[] = models.map((model) => ({
    id: model.modelId,
    label: model.displayName ?? model.modelId,
    detail: modelDetail(model),
  }))
  const isKnown = (id: string) => models.some(({ modelId }) => modelId === id)
  const extra: Option[] = chosen !== null && !isKnown(chosen) ? [{ id: chosen, label: chosen }] : []
  const mayType = configuration?.allowUnlistedModels ?? false
  const own: Option[] =
    mayType && MODEL_ID.test(typed.trim()) && !isKnown(typed.trim()) && typed.trim() !== chosen
      ? [{ id: typed.trim(), label: words.unlisted(typed.trim()), detail: words.unlistedDetail }]
      : []
  const standard: Option = {
    id: FIRST_MODEL,
    label: first ? words.firstModel(first.displayName ?? first.modelId) : words.firstModel('–'),
  }
  const found = [standard, ...listed, ...extra].filter(
    ({ id, label }) => needle === '' || `${id} ${label}`.toLowerCase().includes(needle),
  )
  return [...found, ...own]
}

function modelDetail(model: LlmConfiguration['models'][number]): string {
  const { modelId, displayName, contextLength, inputUsdPerMillion, outputUsdPerMillion } = model
  const parts = [
    ...(displayName && displayName !== modelId ? [modelId] : []),
    ...(contextLength ? [words.context(compactNumber(contextLength))] : []),
    ...(inputUsdPerMillion === undefined || outputUsdPerMillion === undefined
      ? []
      : [words.price(money(inputUsdPerMillion), money(outputUsdPerMillion))]),
  ]
  return parts.join(' · ')
}

/** The name of the model of a link: "GPT-5 mini". */
export function modelName(configuration: LlmConfiguration | null, modelId: string | null): string {
  const models = configuration?.models ?? []
  const model = modelId === null ? defaultModel(models) : models.find((one) => one.modelId === modelId)
  return model?.displayName ?? model?.modelId ?? modelId ?? configuration?.name ?? '–'
}

import {
  type IdText,
  KNOWLEDGE_LANGUAGES,
  type KnowledgeLanguage,
  type LlmConfigId,
  type ProjectId,
  type ProviderId,
} from '@troupe/contract'
import { ComboBox } from '../../atoms/controls/combo-box.tsx'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { knowledgeFieldWords as words } from '../../core/messages/en/resources/knowledge-fields.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { fieldFailure } from '../../infrastructure/client/field-failure.ts'
import { useLlmConfigurations } from '../../infrastructure/queries/use-whole-list.ts'
import { OptionPicker } from '../../parts/pickers/option-picker.tsx'

const NONE = 'none'

/** The settings of a knowledge base. */
export interface BaseFields {
  name: string
  lang: KnowledgeLanguage
  /** null: words only. */
  embedding: { llm_config_id: IdText<LlmConfigId>; model_id: string } | null
  /** null: cleared, which cannot be saved. */
  chunk_tokens: number | null
  overlap_tokens: number | null
}

/** The paths with errors shown at fields. */
export const BASE_PATHS = [
  'name',
  'lang',
  'embedding.llm_config_id',
  'embedding.model_id',
  'chunk_tokens',
  'overlap_tokens',
]

export interface BaseFieldsProps {
  value: BaseFields
  onChange(value: BaseFields): void
  failure: CallFailure | null
  /** The project of the base; null: the whole organization. */
  projectId: IdText<ProjectId> | null
  isReadOnly?: boolean
}

/** Language and embedding of a knowledge base. */
export function SearchFields({ value, onChange, failure, projectId, isReadOnly = false }: BaseFieldsProps) {
  return (
    <>
      <ComboBox
        label={words.language}
        description={words.languageDetail}
        isDisabled={isReadOnly}
        value={value.lang}
        onChange={(lang) => lang !== null && onChange({ ...value, lang })}
        options={KNOWLEDGE_LANGUAGES.map((id) => ({ id, label: languageName(id) }))}
      />
      <EmbeddingField
        value={value.embedding}
        onChange={(embedding) => onChange({ ...value, embedding })}
        failure={failure}
        projectId={projectId}
        isReadOnly={isReadOnly}
      />
    </>
  )
}

/** The size of passages. */
export function SizeFields({
  value,
  onChange,
  failure,
  isReadOnly = false,
}: Omit<BaseFieldsProps, 'projectId'>) {
  return (
    <>
      <NumberField
        label={words.chunkTokens}
        value={value.chunk_tokens}
        onChange={(tokens) => onChange({ ...value, chunk_tokens: tokens })}
        minValue={50}
        maxValue={2_000}
        step={50}
        isReadOnly={isReadOnly}
        error={fieldFailure(failure, 'chunk_tokens')}
      />
      <NumberField
        label={words.overlapTokens}
        value={value.overlap_tokens}
        onChange={(tokens) => onChange({ ...value, overlap_tokens: tokens })}
        minValue={0}
        maxValue={500}
        step={10}
        isReadOnly={isReadOnly}
        error={fieldFailure(failure, 'overlap_tokens')}
      />
    </>
  )
}

/** "English"; the configuration without stemming has no language. */
function languageName(lang: KnowledgeLanguage): string {
  return lang === 'simple' ? words.anyLanguage : lang.charAt(0).toUpperCase() + lang.slice(1)
}

interface EmbeddingFieldProps extends Omit<BaseFieldsProps, 'value' | 'onChange'> {
  value: BaseFields['embedding']
  onChange(value: BaseFields['embedding']): void
}

function EmbeddingField({ value, onChange, failure, projectId, isReadOnly }: EmbeddingFieldProps) {
  const asked = useLlmConfigurations()
  // A base of the organization is searched by agents of every project, so its model must belong to the organization.
  const configurations = (asked.data ?? []).filter(
    (one) => one.status === 'connected' && (one.projectId === null || one.projectId === projectId),
  )
  const chosen = configurations.find(({ llmConfigId }) => llmConfigId === value?.llm_config_id)
  const choose = (id: string) => {
    const next = configurations.find(({ llmConfigId }) => llmConfigId === id)
    onChange(next ? { llm_config_id: id, model_id: suggestedModel(next) } : null)
  }
  return (
    <>
      <OptionPicker
        label={words.embedding}
        description={words.embeddingDetail}
        isDisabled={isReadOnly ?? false}
        error={fieldFailure(failure, 'embedding.llm_config_id')}
        value={value?.llm_config_id ?? NONE}
        onChange={choose}
        options={[
          { id: NONE, label: words.noEmbedding },
          ...configurations.map(({ llmConfigId, name, providerId }) => ({
            id: llmConfigId,
            label: name,
            detail: providerId,
          })),
        ]}
      />
      {value && (
        <TextField
          label={words.model}
          description={words.modelDetail}
          isMono
          isRequired
          isReadOnly={isReadOnly ?? false}
          maxLength={200}
          value={value.model_id}
          onChange={(model) => onChange({ ...value, model_id: model })}
          error={fieldFailure(failure, 'embedding.model_id')}
        />
      )}
      {value && chosen?.providerId === 'sandbox' && <Callout>{words.sandboxNote}</Callout>}
    </>
  )
}

/** A listed model whose name indicates embeddings, or the provider's well-known one. */
function suggestedModel({
  providerId,
  models,
}: {
  providerId: ProviderId
  models: readonly { modelId: string }[]
}): string {
  const listed = models.find(({ modelId }) => /embed/i.test(modelId))
  return listed?.modelId ?? USUAL_MODELS[providerId] ?? ''
}

const USUAL_MODELS: Readonly<Record<string, string>> = {
  sandbox: 'sandbox-embed-1',
  openai: 'text-embedding-3-small',
  google: 'gemini-embedding-001',
  mistral: 'mistral-embed',
  'amazon-bedrock': 'amazon.titan-embed-text-v2:0',
}

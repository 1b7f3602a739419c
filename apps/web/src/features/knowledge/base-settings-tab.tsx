import type { KnowledgeBase } from '@troupe/contract'
import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { Card, FormLayout, Section } from '../../atoms/layout/page.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { ContestedNote } from '../../atoms/states/contested-note.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { RestoredNote } from '../../atoms/states/restored-note.tsx'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import {
  knowledgeFieldWords,
  knowledgeSettingsWords as words,
} from '../../core/messages/en/resources/knowledge-fields.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { settingElementId } from '../../parts/config-form/setting-element-id.ts'
import { OwnProject } from '../../parts/move-things/own-project.tsx'
import { useSaveKey } from '../../parts/unsaved/use-save-key.ts'
import { useSyncedForm } from '../../parts/unsaved/use-synced-form.ts'
import styles from './knowledge.module.css'
import { BASE_PATHS, type BaseFields, SearchFields, SizeFields } from './knowledge-base-fields.tsx'

const LABELS: Readonly<Record<keyof BaseFields, string>> = {
  name: knowledgeFieldWords.name,
  lang: knowledgeFieldWords.language,
  embedding: knowledgeFieldWords.embedding,
  chunk_tokens: knowledgeFieldWords.chunkTokens,
  overlap_tokens: knowledgeFieldWords.overlapTokens,
}

/** Name, language, embedding and sizes of a knowledge base. */
export function BaseSettingsTab({ base }: { base: KnowledgeBase }) {
  const refusal = useRefusal('build')
  const typed = useSyncedForm(`knowledge-base/${base.knowledgeBaseId}`, fieldsOf(base), {
    ...{ kind: 'knowledge_base', id: base.knowledgeBaseId },
  })
  const { fields, isChanged } = typed
  const save = useChange('updateKnowledgeBase', { refreshes: ['getKnowledgeBase', 'listKnowledgeBases'] })
  const isReadOnly = refusal !== null
  const isComplete =
    fields.embedding?.model_id !== '' && fields.chunk_tokens !== null && fields.overlap_tokens !== null
  const submit = async () => {
    const { chunk_tokens: chunk, overlap_tokens: overlap, ...others } = typed.changed
    const body = {
      ...others,
      ...(chunk == null ? {} : { chunk_tokens: chunk }),
      ...(overlap == null ? {} : { overlap_tokens: overlap }),
    }
    if (!(await save.run({ params: { knowledgeBaseId: base.knowledgeBaseId }, body }))) return
    typed.settle()
    showNotice({ title: words.saved })
  }
  const isSavable = isChanged && isComplete
  useSaveKey(refusal, () => isSavable && !save.isPending && void submit())
  const parts = { value: fields, onChange: typed.change, failure: save.failure, isReadOnly }
  const control = controlsOf(typed, save.failure)
  return (
    <div className={styles.settings}>
      <FormLayout
        label={knowledgeWords.tabs.settings}
        onSubmit={submit}
        actions={
          isReadOnly ? undefined : (
            <SendButton emphasis="primary" type="submit" isPending={save.isPending} isDisabled={!isSavable}>
              {words.save}
            </SendButton>
          )
        }
      >
        {refusal !== null && <Callout>{refusal}</Callout>}
        <FailurePanel title={words.saveFailed} failure={formFailure(save.failure, BASE_PATHS)} />
        <RestoredNote typed={typed} />
        <OwnProject
          thing={{
            kind: 'knowledge_base',
            id: base.knowledgeBaseId,
            name: base.name,
            projectId: base.projectId,
          }}
        />
        <ContestedNote fields={typed.contested.map((field) => LABELS[field])} onTakeTheirs={typed.discard} />
        <Card>
          <div id={settingElementId('name')}>
            <TextField
              label={knowledgeFieldWords.name}
              {...control('name')}
              isReadOnly={isReadOnly}
              isRequired
              maxLength={128}
            />
          </div>
          <SearchFields {...parts} projectId={base.projectId} />
          <CopyField label={words.id} text={base.knowledgeBaseId} />
        </Card>
        <Section title={knowledgeFieldWords.advanced} detail={knowledgeFieldWords.advancedDetail}>
          <Card>
            <SizeFields {...parts} />
          </Card>
        </Section>
      </FormLayout>
    </div>
  )
}

/** While a new embedding is being computed, it is the selected one. */
function fieldsOf(base: KnowledgeBase): BaseFields {
  const { name, lang, embedding, next_embedding: next, chunk_tokens, overlap_tokens } = base
  const chosen = next ? { llm_config_id: next.llm_config_id, model_id: next.model_id } : embedding
  return { name, lang, embedding: chosen, chunk_tokens, overlap_tokens }
}

import { Plus, Search } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { Toggle } from '../../../atoms/controls/toggles.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { LazyDialog } from '../../../atoms/overlays/lazy-dialog.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import type { CatalogModelDraft } from '../../../core/models/model-draft.ts'
import { CatalogRow } from './catalog-row.tsx'
import styles from './models.module.css'
import type { ModelForm } from './use-model-form.ts'

const FindModelsDialog = lazyPart(async () => (await import('./find-models-dialog.tsx')).FindModelsDialog)

/** The available models for agents, with their limits and prices. */
export function ModelsSection({ form }: { form: ModelForm }) {
  const { provider, draft, change, faultOf } = form
  const [isFinding, setFinding] = useState(false)
  const { models } = draft
  const set = (next: readonly CatalogModelDraft[]) => change({ models: next })
  const find = (
    <Button size="small" icon={<Search size={14} />} onPress={() => setFinding(true)}>
      {words.find}
    </Button>
  )
  return (
    <Section
      title={words.models}
      detail={words.modelsDetail}
      {...(provider.listsModels ? { actions: find } : {})}
    >
      <Card flush>
        {models.map((model, index) => (
          <CatalogRow
            key={model.modelId}
            model={model}
            faultOf={(field) => faultOf(`models.${index}.${field}`)}
            onChange={(next) => set(models.map((one) => (one === model ? next : one)))}
            onRemove={() => set(models.filter((one) => one !== model))}
          />
        ))}
        <AddById
          models={models}
          hasList={provider.listsModels}
          fault={faultOf('models')}
          onAdd={(model) => set([...models, model])}
        />
      </Card>
      {provider.providerId !== 'sandbox' && (
        <Toggle
          isSelected={draft.allowUnlistedModels}
          onChange={(allowUnlistedModels) => change({ allowUnlistedModels })}
          description={words.allowUnlistedDetail}
        >
          {words.allowUnlisted}
        </Toggle>
      )}
      {isFinding && (
        <LazyDialog>
          <FindModelsDialog
            provider={provider.label}
            connection={form.connection()}
            present={models}
            onAdd={(added) => {
              set([...models, ...added])
              setFinding(false)
            }}
            onClose={() => setFinding(false)}
          />
        </LazyDialog>
      )}
    </Section>
  )
}

interface AddByIdProps {
  models: readonly CatalogModelDraft[]
  hasList: boolean
  /** The error of the list. */
  fault: string | null
  onAdd(model: CatalogModelDraft): void
}

function AddById({ models, hasList, fault, onAdd }: AddByIdProps) {
  const [text, setText] = useState('')
  const modelId = text.trim()
  const isDuplicate = models.some((model) => model.modelId === modelId)
  const add = () => {
    if (modelId === '' || isDuplicate) return
    onAdd({ modelId })
    setText('')
  }
  return (
    <div className={styles.add}>
      {models.length === 0 && <p className={styles.faint}>{words.noModels}</p>}
      {models.length === 0 && !hasList && <p className={styles.faint}>{words.noList}</p>}
      <form
        className={styles.addLine}
        aria-label={words.addById}
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <TextField
          label={words.addById}
          isLabelHidden
          isMono
          placeholder={words.addById}
          value={text}
          onChange={setText}
          error={isDuplicate ? words.duplicate : fault}
        />
        <Button type="submit" icon={<Plus size={14} />} isDisabled={modelId === '' || isDuplicate}>
          {words.add}
        </Button>
      </form>
    </div>
  )
}

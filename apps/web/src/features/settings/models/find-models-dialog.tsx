import { modelKindOf } from '@troupe/contract'
import type { ConnectionBody } from '@troupe/contract/builder'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { CheckboxGroup } from '../../../atoms/controls/choices.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { Dialog } from '../../../atoms/overlays/dialog.tsx'
import { LoadFailure, Skeleton } from '../../../atoms/states/panels.tsx'
import { compactNumber, wholeNumber } from '../../../core/format/numbers.ts'
import { fieldName } from '../../../core/forms/field-name.ts'
import { atomWords } from '../../../core/messages/en/atoms.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import type { CatalogModelDraft } from '../../../core/models/model-draft.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import styles from './models.module.css'

const MOST_SHOWN = 200

type OfferedModel = NonNullable<ReturnType<typeof useOffered>['models']>[number]

export interface FindModelsDialogProps {
  provider: string
  connection: ConnectionBody
  /** The existing models of the configuration. */
  present: readonly CatalogModelDraft[]
  onAdd(models: CatalogModelDraft[]): void
  onClose(): void
}

/** The models that the provider lists for these credentials, for selection. */
export function FindModelsDialog({ provider, connection, present, onAdd, onClose }: FindModelsDialogProps) {
  const { models, failure, isPending, retry } = useOffered(connection)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const has = new Set(present.map(({ modelId }) => modelId))
  const wanted = text.trim().toLowerCase()
  // Chat models first: the first model of a configuration is the default.
  const byUse = (models ?? []).toSorted((a, b) => Number(b.kind === 'chat') - Number(a.kind === 'chat'))
  const matching = byUse.filter(({ modelId, displayName }) =>
    `${modelId} ${displayName ?? ''}`.toLowerCase().includes(wanted),
  )
  const shown = matching.slice(0, MOST_SHOWN)
  const add = () => onAdd(byUse.filter(({ modelId }) => chosen.includes(modelId)).map(asCatalogModel))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.findTitle(provider)}
      actions={
        <>
          <Button emphasis="quiet" onPress={onClose}>
            {atomWords.cancel}
          </Button>
          <Button emphasis="primary" isDisabled={chosen.length === 0} onPress={add}>
            {words.findAdd(chosen.length)}
          </Button>
        </>
      }
    >
      {failure && (
        <LoadFailure
          title={words.findFailed}
          failure={{
            message: [
              failure.message,
              ...failure.errors.map(
                (one) => `${fieldName(one.path, { baseUrl: words.baseUrl })} ${one.message}.`,
              ),
            ].join(' '),
            requestId: failure.requestId,
            isPassing: failure.isPassing,
          }}
          look="row"
          onRetry={retry}
          isRetrying={isPending}
        />
      )}
      {models === null && !failure && <Skeleton lines={8} />}
      {models !== null && (
        <>
          <TextField
            label={words.findSearch}
            isLabelHidden
            type="search"
            placeholder={words.findSearch}
            autoFocus
            value={text}
            onChange={setText}
          />
          {shown.length === 0 ? (
            <p className={styles.faint}>{models.length === 0 ? words.findNone : words.findNoMatch}</p>
          ) : (
            <div className={styles.offered}>
              <CheckboxGroup
                label={words.listed}
                isLabelHidden
                options={shown.map((model) => ({
                  id: model.modelId,
                  label: model.modelId,
                  ...detailOf(model, has.has(model.modelId)),
                }))}
                value={[...chosen, ...has].filter((id) => shown.some(({ modelId }) => modelId === id))}
                onChange={(ids) =>
                  setChosen([
                    ...chosen.filter((id) => !shown.some(({ modelId }) => modelId === id)),
                    ...ids.filter((id) => !has.has(id)),
                  ])
                }
              />
            </div>
          )}
          {matching.length > shown.length && (
            <p className={styles.faint}>
              {words.findMore(wholeNumber(shown.length), wholeNumber(matching.length))}
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}

function useOffered(connection: ConnectionBody) {
  const list = useChange('listProviderModels')
  const [models, setModels] = useState<Awaited<ReturnType<typeof list.run>>>(null)
  const latest = useRef({ list, connection })
  latest.current = { list, connection }
  const ask = async () => {
    const { list: now, connection: body } = latest.current
    setModels(await now.run({ body }))
  }
  const first = useRef(ask)
  useEffect(() => void first.current(), [])
  return {
    models: models?.answer.models ?? null,
    failure: list.failure,
    isPending: list.isPending,
    retry: () => void ask(),
  }
}

function detailOf(model: OfferedModel, isPresent: boolean): { detail?: string; isDisabled?: boolean } {
  const parts = [
    model.displayName === model.modelId ? null : model.displayName,
    model.contextLength === null ? null : words.context(compactNumber(model.contextLength)),
    model.kind === 'chat' ? null : words.kinds[model.kind],
    isPresent ? words.alreadyThere : null,
  ].filter((part) => part !== null)
  return { isDisabled: isPresent, ...(parts.length === 0 ? {} : { detail: parts.join(' · ') }) }
}

function asCatalogModel(model: OfferedModel): CatalogModelDraft {
  const { modelId, displayName, contextLength, maxOutputTokens, kind } = model
  return {
    modelId,
    ...(displayName === null ? {} : { displayName }),
    ...(contextLength === null ? {} : { contextLength }),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    // Values derivable from its id are not stored.
    ...(kind === modelKindOf(modelId) ? {} : { kind }),
  }
}

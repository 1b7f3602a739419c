import { Trash2 } from 'lucide-react'
import { Button } from '../../../atoms/controls/button.tsx'
import { NumberField } from '../../../atoms/controls/number-field.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { Toggle } from '../../../atoms/controls/toggles.tsx'
import { Disclosure } from '../../../atoms/layout/disclosure.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import type { CatalogModelDraft } from '../../../core/models/model-draft.ts'
import styles from './models.module.css'
import { priceText } from './price-text.ts'

const DOLLARS = { style: 'currency', currency: 'USD', maximumFractionDigits: 6 } as const
const NUMBERS = [
  ['contextLength', words.contextLength, {}],
  ['maxOutputTokens', words.maxOutputTokens, {}],
  ['inputUsdPerMillion', words.inputPrice, { format: DOLLARS }],
  ['cachedInputUsdPerMillion', words.cachedPrice, { format: DOLLARS }],
  ['cacheWriteUsdPerMillion', words.cacheWritePrice, { format: DOLLARS }],
  ['outputUsdPerMillion', words.outputPrice, { format: DOLLARS }],
] as const

export interface CatalogRowProps {
  model: CatalogModelDraft
  faultOf(field: string): string | null
  onChange(model: CatalogModelDraft): void
  onRemove(): void
}

/** One model with its limits and prices, which expand below its line. */
export function CatalogRow({ model, faultOf, onChange, onRemove }: CatalogRowProps) {
  const { modelId, displayName, toolChoice = true } = model
  const price = priceText(model)
  const hasFault = ['modelId', 'displayName', ...NUMBERS.map(([name]) => name)].some(
    (name) => faultOf(name) !== null,
  )
  return (
    <Disclosure
      opensOn={hasFault}
      title={
        <>
          <code translate="no" className={styles.modelId}>
            {modelId}
          </code>
          {displayName !== undefined && displayName !== modelId && (
            <span className={styles.faint}>{displayName}</span>
          )}
        </>
      }
      end={
        price === null ? (
          <Badge tone="warn">{words.noPrice}</Badge>
        ) : (
          <span className={styles.price}>{price}</span>
        )
      }
    >
      {faultOf('modelId') !== null && <p className={styles.fault}>{faultOf('modelId')}</p>}
      <div className={styles.grid}>
        <TextField
          label={words.displayName}
          isOptional
          value={displayName ?? ''}
          onChange={(text) => onChange(withField(model, 'displayName', text === '' ? null : text))}
          error={faultOf('displayName')}
        />
        {NUMBERS.map(([name, label, options]) => (
          <NumberField
            key={name}
            label={label}
            isOptional
            minValue={0}
            value={model[name] ?? null}
            onChange={(value) => onChange(withField(model, name, value))}
            error={faultOf(name)}
            {...options}
          />
        ))}
      </div>
      <Toggle
        isSelected={toolChoice}
        onChange={(isOn) => onChange(withField(model, 'toolChoice', isOn ? null : false))}
        description={words.toolChoiceDetail}
      >
        {words.toolChoice}
      </Toggle>
      <div>
        <Button size="small" emphasis="danger" icon={<Trash2 size={14} />} onPress={onRemove}>
          {words.removeModel}
        </Button>
      </div>
    </Disclosure>
  )
}

/** null removes the field: the server then uses its known value. */
function withField<K extends Exclude<keyof CatalogModelDraft, 'modelId'>>(
  model: CatalogModelDraft,
  name: K,
  value: NonNullable<CatalogModelDraft[K]> | null,
): CatalogModelDraft {
  const next: CatalogModelDraft = { ...model }
  if (value === null) delete next[name]
  else next[name] = value
  return next
}

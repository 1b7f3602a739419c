import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import fieldStyles from '../../atoms/controls/field.module.css'
import type { Option } from '../../atoms/controls/option-list.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { focusNext } from '../../atoms/focus/focus-next.ts'
import { pickerWords } from '../../core/messages/en/resources/pickers.ts'
import styles from './pickers.module.css'
import { SearchPicker } from './search-picker.tsx'

/** One of the selected resources. */
export interface ChosenItem {
  id: string
  name: string
  detail?: string
  /** Whether it is deleted or may not be used here. */
  isGone?: boolean
  /** Its path. */
  href?: string
  /** After the name: a version. */
  end?: ReactNode
}

export interface ChosenListProps {
  label: string
  description?: ReactNode
  error?: string | null
  items: readonly ChosenItem[]
  /** Shown instead of rows. */
  none: string
  /** The remaining options that match the typed text. */
  options: readonly Option[]
  onType(text: string): void
  /** Further options are loading. */
  isSearching: boolean
  addLabel: string
  onAdd(id: string): void
  onRemove(id: string): void
  isDisabled?: boolean
  /** Below the field: a link to the page of the resources. */
  foot?: ReactNode
}

/** Several selected resources, and a field that adds one more. */
export function ChosenList(props: ChosenListProps) {
  const { label, description, error, items, none, options, onType, isSearching } = props
  const { addLabel, onAdd, onRemove, isDisabled, foot } = props
  const group = useRef<HTMLDivElement>(null)
  const field = () => group.current?.querySelector('input')
  const remove = (id: string) => {
    const index = items.findIndex((item) => item.id === id)
    onRemove(id)
    focusNext(() => {
      const rows = group.current?.querySelectorAll(':scope > ul > li') ?? []
      return (rows[index] ?? rows[index - 1])?.querySelector(':scope > button') ?? field()
    })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot have the layout of the other fields
    <div ref={group} className={fieldStyles.field} role="group" aria-label={label}>
      <span className={fieldStyles.label}>{label}</span>
      {items.length === 0 ? (
        <p className={styles.none}>{none}</p>
      ) : (
        <ul className={styles.chosen}>
          {items.map((item) => (
            <ChosenRow key={item.id} item={item} isDisabled={isDisabled ?? false} onRemove={remove} />
          ))}
        </ul>
      )}
      {!isDisabled && (
        // A new field for each addition, so that it starts empty.
        <SearchPicker
          key={items.length}
          label={addLabel}
          isLabelHidden
          placeholder={addLabel}
          options={options}
          onType={onType}
          isSearching={isSearching}
          value={null}
          name={null}
          onChange={(id) => {
            if (id === null) return
            onAdd(id)
            focusNext(field)
          }}
        />
      )}
      {description && <p className={fieldStyles.description}>{description}</p>}
      {error && <p className={fieldStyles.error}>{error}</p>}
      {foot && <p className={fieldStyles.description}>{foot}</p>}
    </div>
  )
}

interface ChosenRowProps {
  item: ChosenItem
  isDisabled: boolean
  onRemove(id: string): void
}

function ChosenRow({ item, isDisabled, onRemove }: ChosenRowProps) {
  const { id, name, detail, isGone = false, href, end } = item
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.name}>
          {href && !isGone ? (
            <TextLink href={href} look="plain">
              {name}
            </TextLink>
          ) : (
            name
          )}
        </span>
        <span className={isGone ? styles.gone : styles.detail}>{isGone ? pickerWords.gone : detail}</span>
      </span>
      {end}
      <Button
        emphasis="quiet"
        size="small"
        icon={<X size={14} />}
        aria-label={pickerWords.remove(name)}
        isDisabled={isDisabled}
        onPress={() => onRemove(id)}
      />
    </li>
  )
}

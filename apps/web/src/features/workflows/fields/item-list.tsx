import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { fieldWords as words } from '../../../core/messages/en/workflows/outline.ts'
import styles from './fields.module.css'

type Item = Record<string, unknown>

export interface ItemListProps {
  label: string
  description: string | null
  error: string | null
  values: readonly Item[]
  onChange(values: Item[]): void
  renderItem(item: Item, index: number, change: (item: Item) => void): ReactNode
}

/** A list of things with fields of their own: added at the end, taken away one by one. */
export function ItemList({ label, description, error, values, onChange, renderItem }: ItemListProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {description && <p className={styles.muted}>{description}</p>}
      {values.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place in the list
        <div key={index} className={styles.item}>
          {renderItem(item, index, (next) => onChange(values.with(index, next)))}
          <Button
            emphasis="quiet"
            size="small"
            icon={<Trash2 size={14} />}
            aria-label={words.removeItem(label, index + 1)}
            onPress={() => onChange(values.toSpliced(index, 1))}
          />
        </div>
      ))}
      {error && <p className={styles.error}>{error}</p>}
      <div>
        <Button size="small" icon={<Plus size={14} />} onPress={() => onChange([...values, {}])}>
          {words.addItem}
        </Button>
      </div>
    </fieldset>
  )
}

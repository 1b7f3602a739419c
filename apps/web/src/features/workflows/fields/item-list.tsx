import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { focusNext } from '../../../atoms/focus/focus-next.ts'
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
  const rows = useRef<HTMLFieldSetElement>(null)
  const isAdding = useRef(false)
  const count = values.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row is there with its value
  useEffect(() => {
    if (!isAdding.current) return
    isAdding.current = false
    const added = [...(rows.current?.querySelectorAll(`:scope > .${styles.item}`) ?? [])].at(-1)
    added?.querySelector<HTMLElement>('input, textarea, [contenteditable], button')?.focus()
  }, [count])
  const add = () => {
    isAdding.current = true
    onChange([...values, {}])
  }
  const remove = (index: number) => {
    onChange(values.toSpliced(index, 1))
    focusNext(() => {
      const buttons = rows.current?.querySelectorAll<HTMLElement>(`:scope > .${styles.item} > button`)
      // The one of the item that stands here now, or before; without items, the one that adds.
      return (
        buttons?.[Math.min(index, buttons.length - 1)] ?? rows.current?.querySelector(':scope > div > button')
      )
    })
  }
  return (
    <fieldset ref={rows} className={styles.group}>
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
            onPress={() => remove(index)}
          />
        </div>
      ))}
      {error && <p className={styles.error}>{error}</p>}
      <div>
        <Button size="small" icon={<Plus size={14} />} onPress={add}>
          {words.addItem}
        </Button>
      </div>
    </fieldset>
  )
}

import { GripVertical, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { focusNext } from '../../../atoms/focus/focus-next.ts'
import { fieldWords as words } from '../../../core/messages/en/workflows/outline.ts'
import styles from './fields.module.css'
import { useItemDrag } from './use-item-drag.ts'

/** An item that can be added to a list. */
export interface Addition<Item> {
  label: string
  item: Item
}

export interface ItemListProps<Item> {
  label: string
  /** Visible to screen readers only. */
  isLabelHidden?: boolean
  description: ReactNode
  error: string | null
  values: readonly Item[]
  /** Maximum items; absent: any number. */
  maxItems?: number | undefined
  /** By default an empty item. */
  additions: readonly Addition<Item>[]
  onChange(values: Item[]): void
  renderItem(item: Item, index: number, change: (item: Item) => void): ReactNode
}

/** A list of items with fields: added at the end, moved by dragging or with the arrow keys, removed one by one. */
export function ItemList<Item>(props: ItemListProps<Item>) {
  const { label, isLabelHidden, description, error, values, maxItems, additions, onChange, renderItem } =
    props
  const rows = useRef<HTMLFieldSetElement>(null)
  const isAdding = useRef(false)
  const [said, setSaid] = useState('')
  const count = values.length
  const keys = useItemKeys(count)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new row renders with the new count
  useEffect(() => {
    if (!isAdding.current) return
    isAdding.current = false
    const added = itemsIn(rows.current).at(-1)
    added
      ?.querySelector<HTMLElement>('[data-fields] :is(input, textarea, [contenteditable], button)')
      ?.focus()
  }, [count])
  const add = (item: Item) => {
    isAdding.current = true
    onChange([...values, item])
  }
  const remove = (index: number) => {
    keys.remove(index)
    onChange(values.toSpliced(index, 1))
    focusNext(() => {
      const items = itemsIn(rows.current)
      // The button of the item at this index, or the previous one; without items, the add button.
      const next = items[Math.min(index, items.length - 1)]
      return (
        next?.querySelector(':scope > [data-remove] button') ??
        rows.current?.querySelector(':scope > div > button')
      )
    })
  }
  const move = (from: number, to: number) => {
    const item = values[from]
    if (item === undefined || to < 0 || to >= count || from === to) return
    keys.move(from, to)
    onChange(values.toSpliced(from, 1).toSpliced(to, 0, item))
    setSaid(words.movedItem(to + 1, count))
  }
  const drag = useItemDrag(() => itemsIn(rows.current), move)
  return (
    <fieldset ref={rows} className={styles.group}>
      <legend className={isLabelHidden ? 'visually-hidden' : undefined}>{label}</legend>
      {description && <p className={styles.muted}>{description}</p>}
      {values.map((item, index) => (
        <div
          key={keys.at(index)}
          data-item
          className={styles.item}
          data-dragged={drag.from === index || undefined}
          data-drop={drag.to === index ? (drag.to > (drag.from ?? 0) ? 'after' : 'before') : undefined}
        >
          <div data-fields className={styles.fields}>
            {renderItem(item, index, (next) => onChange(values.with(index, next)))}
          </div>
          <div data-remove className={styles.itemActions}>
            <Button
              emphasis="quiet"
              size="small"
              icon={<Trash2 size={14} />}
              aria-label={words.removeItem(label, index + 1)}
              onPress={() => remove(index)}
            />
            {count > 1 && (
              <button
                type="button"
                className={styles.grip}
                aria-label={words.moveItem(label, index + 1)}
                title={words.moveKeys}
                onKeyDown={(event) => {
                  const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
                  if (by === 0) return
                  event.preventDefault()
                  event.stopPropagation()
                  move(index, index + by)
                }}
                {...drag.handle(index)}
              >
                <GripVertical size={14} aria-hidden="true" />
              </button>
            )}
          </div>
        </div>
      ))}
      {error && <p className={styles.error}>{error}</p>}
      {maxItems !== undefined && count >= maxItems ? (
        <p className={styles.muted}>{words.fullList(maxItems)}</p>
      ) : (
        <div className={styles.additions}>
          {additions.map(({ label: text, item }) => (
            <Button key={text} size="small" icon={<Plus size={14} />} onPress={() => add(item)}>
              {text}
            </Button>
          ))}
        </div>
      )}
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </fieldset>
  )
}

function itemsIn(rows: HTMLElement | null): HTMLElement[] {
  return [...(rows?.querySelectorAll<HTMLElement>(':scope > [data-item]') ?? [])]
}

/** Keys of items without ids: a moved item keeps its key, and so its focus and its unstored input. */
function useItemKeys(count: number) {
  const keys = useRef<number[]>([])
  const next = useRef(0)
  while (keys.current.length < count) {
    keys.current.push(next.current)
    next.current += 1
  }
  keys.current.length = count
  return {
    at: (index: number) => keys.current[index],
    remove: (index: number) => {
      keys.current.splice(index, 1)
    },
    move: (from: number, to: number) => {
      keys.current.splice(to, 0, ...keys.current.splice(from, 1))
    },
  }
}

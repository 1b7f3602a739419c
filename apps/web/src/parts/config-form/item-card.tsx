import { type ReactNode, useState } from 'react'
import { ActionMenu, type MenuEntry } from '../../atoms/overlays/menu.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { formWords as words } from '../../core/messages/en/agents/config-form.ts'
import styles from './config-form.module.css'
import type { ConfigForm } from './config-form.ts'
import { settingElementId } from './setting-element-id.ts'
import type { ItemMoves, SettingItemList } from './use-setting-items.ts'

export interface ItemCardProps {
  form: ConfigForm
  /** The path of the item: `tools.0`. */
  path: string
  title: string
  /** Its kind: "HTTP request". */
  kind: string
  /** Its summary while closed. */
  summary: string
  /** Marks beside the name. */
  marks?: ReactNode
  moves: ItemMoves
  hasDuplicate?: boolean
  isOpenAtFirst?: boolean
  children: ReactNode
}

/** One item of a list of settings: a line that opens to its fields. */
export function ItemCard(props: ItemCardProps) {
  const { form, path, title, kind, summary, marks, isOpenAtFirst = false, children } = props
  const error = form.errorAt(path)
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  // Unparsable input inside exists only in its fields, so they stay mounted when the card is closed.
  const [wasOpen, setWasOpen] = useState(isOpenAtFirst)
  return (
    <li id={settingElementId(path)} className={styles.item}>
      <details
        open={isOpen}
        onToggle={({ currentTarget: { open } }) => {
          setOpen(open)
          if (open) setWasOpen(true)
        }}
      >
        <summary className={styles.itemHead}>
          <span className={styles.itemWords}>
            <span className={styles.itemTitle}>{title}</span>
            <span className={styles.itemSummary}>{summary}</span>
          </span>
          {marks}
          <Badge>{kind}</Badge>
        </summary>
        {(isOpen || wasOpen) && <div className={styles.itemBody}>{children}</div>}
      </details>
      {!form.isReadOnly && <ItemMenu {...props} />}
      {error && (
        <p className={styles.itemError} role="alert">
          {error}
        </p>
      )}
    </li>
  )
}

function ItemMenu({ title, moves, hasDuplicate = false }: ItemCardProps) {
  const entries: MenuEntry[] = [
    { id: 'up', label: words.up, isDisabled: !moves.up, onAction: () => moves.up?.() },
    { id: 'down', label: words.down, isDisabled: !moves.down, onAction: () => moves.down?.() },
    ...(hasDuplicate ? [{ id: 'copy', label: words.duplicate, onAction: moves.duplicate }] : []),
    { id: 'remove', label: words.remove, isDanger: true, onAction: moves.remove },
  ]
  return (
    <div className={styles.itemMenu} data-item-menu>
      <ActionMenu label={words.actions(title)} entries={entries} />
    </div>
  )
}

export interface SettingItemsProps extends Pick<SettingItemList, 'said'> {
  label: string
  children: ReactNode
}

/** The items of a list, one below the other. */
export function SettingItems({ label, said, children }: SettingItemsProps) {
  return (
    <>
      <ol className={styles.items} aria-label={label}>
        {children}
      </ol>
      <div role="status" className="visually-hidden">
        {said}
      </div>
    </>
  )
}

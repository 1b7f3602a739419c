import { type KeyboardEvent, type MouseEvent, memo, useRef } from 'react'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { useNavigateTo } from '../controls/link-navigation.tsx'
import { SilentLink } from '../controls/silent-link.tsx'
import { isOffPage, useFocusAfter } from '../focus/focus-next.ts'
import { useLetterKeys } from '../keys/letter-keys.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './data-table.module.css'
import type { DataTableProps } from './data-table-props.ts'

interface BodyRowProps<Row>
  extends Pick<
    DataTableProps<Row>,
    'columns' | 'nameOf' | 'leadOf' | 'hrefOf' | 'selected' | 'onSelect' | 'selectFrom' | 'actionsOf'
  > {
  row: Row
  id: string
  index: number
  isCurrent: boolean
  isSelected: boolean
  /** Its details are shown beside the table. */
  isOpened: boolean
  /** It has just joined the list. */
  isNew: boolean
  onFocusRow(index: number, id: string): void
  /** The element to focus once the row with the focus is gone. */
  rowAfter(index: number, id: string): Element | null | undefined
}

/** Not rendered again while the table scrolls past it, if the caller's functions stay the same. */
export const BodyRow = memo(TableRow) as typeof TableRow

function TableRow<Row>(props: BodyRowProps<Row>) {
  const {
    row,
    id,
    index,
    columns,
    nameOf,
    leadOf,
    hrefOf,
    isCurrent,
    isSelected,
    isOpened,
    isNew,
    selected,
    onSelect,
    selectFrom,
    actionsOf,
    onFocusRow,
    rowAfter,
  } = props
  const element = useRef<HTMLTableRowElement>(null)
  useFocusAfter(
    element,
    () => rowAfter(index, id),
    () => isCurrent && isOffPage(),
  )
  const navigate = useNavigateTo()
  const hasLetters = useLetterKeys()
  const href = hrefOf?.(row)
  const choose = () => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect?.(next)
  }
  const onClick = (event: MouseEvent) => {
    if (!href || isControl(event.target) || window.getSelection()?.type === 'Range') return
    if (event.metaKey || event.ctrlKey) window.open(href, '_blank', 'noopener')
    else navigate(href)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter' && href) navigate(href)
    else if (event.key === 'x' && hasLetters && onSelect) choose()
    else return
    event.preventDefault()
  }
  return (
    <tr
      ref={element}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={onSelect ? isSelected : undefined}
      aria-current={isOpened || undefined}
      data-new={isNew || undefined}
      tabIndex={isCurrent ? 0 : -1}
      className={classNames(styles.row, href && styles.link)}
      onFocus={() => onFocusRow(index, id)}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {onSelect && (
        <td className={classNames(styles.select, selectFrom && styles[selectFrom])}>
          <input
            type="checkbox"
            className={styles.check}
            aria-label={words.chooseOne(nameOf(row))}
            checked={isSelected}
            onChange={choose}
          />
        </td>
      )}
      {columns.map((column, position) => {
        const { from = 'always' } = column
        const content = column.cell(row)
        return (
          <td
            key={column.id}
            className={classNames(column.align === 'end' && styles.end, from !== 'always' && styles[from])}
          >
            {position === 0 && leadOf && <span className={styles.lead}>{leadOf(row)}</span>}
            {position === 0 && href ? (
              // The row itself has the focus.
              <SilentLink href={href} className={styles.name}>
                {content}
              </SilentLink>
            ) : (
              content
            )}
            {column.under && <span className={styles.under}>{column.under(row)}</span>}
          </td>
        )
      })}
      {actionsOf && <td className={styles.actions}>{actionsOf(row)}</td>}
    </tr>
  )
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a,button,input,[role="menu"]') !== null
}

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Button } from '../controls/button.tsx'
import { useNavigateTo } from '../controls/link-navigation.tsx'
import { SilentLink } from '../controls/silent-link.tsx'
import { classNames } from '../styles/class-names.ts'
import { type Column, nextSort, type Sort, sortDirection } from './columns.ts'
import styles from './data-table.module.css'

export interface DataTableProps<Row> {
  /** What the rows are: "Agents". */
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  idOf(row: Row): string
  /** The name of a row for screen readers, such as its title. */
  nameOf(row: Row): string
  /** Where a row leads: by a click, Enter, or its first column, which is a link. Undefined: nowhere. */
  hrefOf?: (row: Row) => string | undefined
  sort?: Sort
  onSort?: (sort: Sort) => void
  /** Ids of chosen rows; with it, rows have a checkbox and `X` chooses. */
  selected?: ReadonlySet<string>
  onSelect?: (selected: ReadonlySet<string>) => void
  /** `wide`: rows can be chosen from 768 px only, where there is room for the checkboxes. */
  selectFrom?: 'wide'
  /** A menu at the end of a row. */
  actionsOf?: (row: Row) => ReactNode
  /** The rows belong to former parameters: they are shown pale. */
  isFormer?: boolean
  /** All rows there are, when more than those given; for screen readers. */
  total?: number
  /** More rows can be loaded. */
  more?: {
    label: string
    isPending: boolean
    onLoad(): void
    /** Loads by itself while the end of the rows is near. */
    isAutomatic?: boolean
  }
  /** "12 new": rows that came meanwhile, shown on a press so that nothing moves by itself. */
  newer?: { label: string; onShow(): void }
  /** Instead of rows, when there are none. */
  empty?: ReactNode
}

const ROW_PX = 33
const OVERSCAN = 12
/**
 * Up to this many rows are all in the document, so that the browser's own search finds them. A row of runs has 37 elements, and a
 * page at most 3,000.
 */
const FEW = 60
/** So many rows before the end, the next ones are asked for. */
const NEAR_END = 600

/**
 * A dense table. Only rows near the window are in the document. `J` and `K` or the arrows move along the rows, Enter
 * opens, `X` chooses.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, idOf, nameOf, hrefOf, selected, onSelect, selectFrom, actionsOf } = props
  const { isFormer, total, more, newer, empty } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const [current, setCurrent] = useState(0)
  const [top, setTop] = useState(0)
  useEffect(() => {
    setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
  }, [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: rows.length <= FEW ? FEW : OVERSCAN,
    scrollMargin: top,
  })
  const shown = virtual.getVirtualItems()
  const before = (shown[0]?.start ?? top) - top
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? top) - top)
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= rows.length - NEAR_END
  const loadMore = useRef(more?.onLoad)
  loadMore.current = more?.onLoad
  const isDue = Boolean(more?.isAutomatic && !more.isPending && isNearEnd && !isFormer)
  // The number of rows is a dependency, so that a page that was loaded near the end is followed by the next one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (isDue) loadMore.current?.()
  }, [isDue, rows.length])
  const columnCount = columns.length + (onSelect ? 1 : 0) + (actionsOf ? 1 : 0)

  const focusRow = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setCurrent(next)
    virtual.scrollToIndex(next)
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.matches('input,button')) return
    const step = STEPS[event.key]
    if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    focusRow(event.key === 'Home' ? 0 : event.key === 'End' ? rows.length - 1 : current + step)
  }

  if (rows.length === 0 && empty) return <div className={styles.wrap}>{empty}</div>
  return (
    <div className={classNames(styles.wrap, isFormer && styles.former)}>
      {newer && (
        <button type="button" className={styles.newer} onClick={newer.onShow}>
          {newer.label}
        </button>
      )}
      <table
        className={styles.table}
        aria-label={label}
        aria-rowcount={(total ?? rows.length) + 1}
        aria-busy={isFormer}
      >
        <Heads {...props} />
        <tbody ref={body} onKeyDown={onKeyDown}>
          {before > 0 && <Gap height={before} columns={columnCount} />}
          {shown.map(({ index }) => {
            const row = rows[index]
            if (row === undefined) return null
            const id = idOf(row)
            return (
              <BodyRow
                key={id}
                {...{ row, id, index, columns, nameOf, hrefOf, selected, onSelect, selectFrom, actionsOf }}
                isCurrent={index === Math.min(current, rows.length - 1)}
                onFocusRow={setCurrent}
                isSelected={selected?.has(id) ?? false}
              />
            )
          })}
          {after > 0 && <Gap height={after} columns={columnCount} />}
        </tbody>
      </table>
      {more && (
        <div className={styles.more}>
          <Button emphasis="quiet" size="small" isPending={more.isPending} onPress={more.onLoad}>
            {more.label}
          </Button>
        </div>
      )}
    </div>
  )
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, Home: 0, End: 0 }

function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  )
}

function Heads<Row>({
  rows,
  columns,
  idOf,
  sort = '',
  onSort,
  selected,
  onSelect,
  selectFrom,
  actionsOf,
}: DataTableProps<Row>) {
  // The head is drawn with every scrolled row, and there may be 100,000 of them.
  const isAll = useMemo(
    () => selected !== undefined && rows.length > 0 && rows.every((row) => selected.has(idOf(row))),
    [rows, selected, idOf],
  )
  return (
    <thead>
      <tr aria-rowindex={1}>
        {onSelect && (
          <th className={classNames(styles.select, selectFrom && styles[selectFrom])}>
            <input
              type="checkbox"
              aria-label="Choose all rows"
              checked={isAll}
              onChange={() => onSelect(new Set(isAll ? [] : rows.map(idOf)))}
            />
          </th>
        )}
        {columns.map(({ id, title, width, align, from = 'always', isSortable = false }) => {
          const direction = sortDirection(sort, id)
          return (
            <th
              key={id}
              scope="col"
              style={{ width }}
              className={classNames(
                width?.endsWith('%') && styles.share,
                align === 'end' && styles.end,
                from !== 'always' && styles[from],
              )}
              {...(isSortable ? { 'aria-sort': direction } : {})}
            >
              {isSortable ? (
                <button type="button" className={styles.sort} onClick={() => onSort?.(nextSort(sort, id))}>
                  {title}
                  {direction === 'ascending' && <ArrowUp size={12} aria-hidden="true" />}
                  {direction === 'descending' && <ArrowDown size={12} aria-hidden="true" />}
                </button>
              ) : (
                title
              )}
            </th>
          )
        })}
        {actionsOf && (
          <th className={styles.actions}>
            <span className="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

interface BodyRowProps<Row>
  extends Pick<
    DataTableProps<Row>,
    'columns' | 'nameOf' | 'hrefOf' | 'selected' | 'onSelect' | 'selectFrom' | 'actionsOf'
  > {
  row: Row
  id: string
  index: number
  isCurrent: boolean
  isSelected: boolean
  onFocusRow(index: number): void
}

/** Not drawn again while the table scrolls past it, if the caller's functions stay the same. */
const BodyRow = memo(TableRow) as typeof TableRow

function TableRow<Row>(props: BodyRowProps<Row>) {
  const {
    row,
    id,
    index,
    columns,
    nameOf,
    hrefOf,
    isCurrent,
    isSelected,
    selected,
    onSelect,
    selectFrom,
    actionsOf,
    onFocusRow,
  } = props
  const navigate = useNavigateTo()
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
    else if (event.key === 'x' && onSelect) choose()
    else return
    event.preventDefault()
  }
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={onSelect ? isSelected : undefined}
      tabIndex={isCurrent ? 0 : -1}
      className={classNames(styles.row, href && styles.link)}
      onFocus={() => onFocusRow(index)}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {onSelect && (
        <td className={classNames(styles.select, selectFrom && styles[selectFrom])}>
          <input
            type="checkbox"
            aria-label={`Choose ${nameOf(row)}`}
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
            {position === 0 && href ? (
              // The row itself has the focus.
              <SilentLink href={href} className={styles.name}>
                {content}
              </SilentLink>
            ) : (
              content
            )}
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

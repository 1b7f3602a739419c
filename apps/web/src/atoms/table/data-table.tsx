import { useWindowVirtualizer, windowScroll } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type MoveAlong, offerRows } from '../../core/lists/main-rows.ts'
import { keepOpenedList } from '../../core/lists/opened-list.ts'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { Button } from '../controls/button.tsx'
import { pageHeading } from '../focus/focus-next.ts'
import { rowStep, useLetterKeys } from '../keys/letter-keys.ts'
import { Skeleton } from '../states/panels.tsx'
import { classNames } from '../styles/class-names.ts'
import { toggledAll } from './chosen-rows.ts'
import { nextSort, sortDirection } from './columns.ts'
import { FIRST_ROW, placeOfCurrent } from './current-row.ts'
import { tellCutText } from './cut-text.ts'
import styles from './data-table.module.css'
import type { DataTableProps } from './data-table-props.ts'
import { PeekPanel } from './peek-panel.tsx'
import { BodyRow } from './table-row.tsx'
import { usePeek } from './use-peek.ts'

const ROW_PX = 33
const OVERSCAN = 12
/**
 * Up to this many rows are all in the document, so that the browser's own search finds them. A row of runs has 37 elements, and a
 * page at most 3,000.
 */
const FEW = 60
/** The next rows are requested this many rows before the end. */
const NEAR_END = 600

/**
 * A dense table. Only rows near the window are in the document. `J` and `K` or the arrows move along the rows, Enter
 * opens, `X` chooses, Space peeks. In the first table of a page, `J` and `K` work even if the focus is elsewhere.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, idOf, nameOf, leadOf, hrefOf, selected, onSelect, selectFrom } = props
  const { actionsOf, peekOf, isFormer, total, more, newer, empty, openedId = null, onMove, arrived } = props
  const hasLetters = useLetterKeys()
  const body = useRef<HTMLTableSectionElement | null>(null)
  const [chosen, setChosen] = useState(openedId === null ? FIRST_ROW : { id: openedId, index: 0 })
  const current = useMemo(() => placeOfCurrent(rows, idOf, chosen), [rows, idOf, chosen])
  const [top, setTop] = useState(0)
  const watchBody = useCallback((rows: HTMLTableSectionElement) => {
    body.current = rows
    // Called after the layout of a frame, so reading the position forces no additional layout.
    const observer = new ResizeObserver(() => setTop(rows.getBoundingClientRect().top + window.scrollY))
    observer.observe(rows)
    return () => {
      body.current = null
      observer.disconnect()
    }
  }, [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: rows.length <= FEW ? FEW : OVERSCAN,
    scrollMargin: top,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    scrollToFn: scrollElsewhere,
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

  const focusRow = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    const row = rows[next]
    if (row !== undefined) {
      setChosen({ id: idOf(row), index: next })
      onMove?.(row)
    }
    virtual.scrollToIndex(next)
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus())
  }
  const peek = usePeek(rows, idOf, () => focusRow(current))
  const follow = useRef(peek.follow)
  follow.current = peek.follow
  const moveAlong = useRef<MoveAlong>(() => undefined)
  moveAlong.current = (step) => {
    if (rows.length > 0) focusRow(chosen.id === null ? current : current + step)
  }
  useEffect(() => offerRows((step) => moveAlong.current(step)), [])
  // A stable function, which memoized rows need.
  const onFocusRow = useCallback((index: number, id: string) => {
    setChosen({ id, index })
    follow.current(index)
  }, [])
  const latest = useRef({ rows, chosen, place: location.pathname })
  latest.current = { rows, chosen, place: location.pathname }
  // Undefined while the row still exists, only scrolled out of the document; for a row that never had the focus; and
  // on another page, which chooses its own focus.
  const rowAfter = useCallback(
    (index: number, id: string) => {
      const { rows: now, chosen, place } = latest.current
      if (chosen.id !== id || location.pathname !== place) return
      if (now.some((row) => idOf(row) === id)) return
      const next = Math.min(index, now.length - 1)
      return body.current?.querySelector(`[data-index="${next}"]`) ?? pageHeading()
    },
    [idOf],
  )
  const keepList = () => {
    const hrefAt = (index: number) => {
      const row = rows[index]
      return row === undefined ? undefined : hrefOf?.(row)
    }
    // Rows that open on the same page do not replace the opened list.
    const href = hrefAt(current)
    if (href && new URL(href, location.href).pathname !== location.pathname) {
      keepOpenedList({ count: rows.length, hrefAt })
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (peekOf && event.target instanceof HTMLTableRowElement && peek.onKey(event, current)) return
    if (event.target instanceof Element && event.target.matches('input,button')) return
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const step = rowStep(event.key, hasLetters)
    const next = step === null ? ENDS[event.key]?.(rows.length) : current + step
    if (next === undefined) return
    event.preventDefault()
    focusRow(next)
  }

  if (rows.length === 0 && empty) {
    // An empty result of the previous filter says nothing about the next one.
    if (isFormer) return <Skeleton lines={8} />
    const isText = typeof empty === 'string'
    return <div className={styles.wrap}>{isText ? <p className={styles.none}>{empty}</p> : empty}</div>
  }
  return (
    <>
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
          onPointerOver={tellCutText}
        >
          <Heads {...props} />
          <tbody
            ref={watchBody}
            onKeyDown={onKeyDown}
            onClickCapture={keepList}
            onKeyDownCapture={({ key }) => key === 'Enter' && keepList()}
          >
            {before > 0 && <Gap height={before} />}
            {shown.map(({ index }) => {
              const row = rows[index]
              if (row === undefined) return null
              const id = idOf(row)
              return (
                <BodyRow
                  key={id}
                  {...{
                    row,
                    id,
                    index,
                    columns,
                    nameOf,
                    leadOf,
                    hrefOf,
                    selected,
                    onSelect,
                    selectFrom,
                    actionsOf,
                  }}
                  isCurrent={index === current}
                  onFocusRow={onFocusRow}
                  rowAfter={rowAfter}
                  isSelected={selected?.has(id) ?? false}
                  isOpened={id === openedId}
                  isNew={arrived?.has(id) ?? false}
                />
              )
            })}
            {after > 0 && <Gap height={after} />}
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
      {peekOf && peek.row !== undefined && (
        <PeekPanel
          ref={peek.panel}
          title={nameOf(peek.row)}
          href={hrefOf?.(peek.row)}
          onClose={peek.close}
          onBack={() => focusRow(current)}
          onStep={(step) => focusRow(current + step)}
          onOpen={keepList}
        >
          {peekOf(peek.row)}
        </PeekPanel>
      )}
    </>
  )
}

/** Reading the window's position on mount would force a layout before the whole page has rendered. */
const scrollElsewhere: typeof windowScroll = (offset, options, instance) => {
  if (offset === instance.scrollOffset && !options.adjustments) return
  windowScroll(offset, options, instance)
}

const ENDS: Readonly<Record<string, (count: number) => number>> = { Home: () => 0, End: (count) => count - 1 }

/** A single cell: spanning all columns would create ones for which the window has no room. */
function Gap({ height }: { height: number }) {
  return (
    <tr>
      <td style={{ height, padding: 0 }} />
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
  // The header renders with every scrolled row, and there may be 100,000 of them.
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
              className={styles.check}
              aria-label={words.chooseAll}
              checked={isAll}
              onChange={() => onSelect(toggledAll(selected ?? new Set(), rows.map(idOf), isAll))}
            />
          </th>
        )}
        {columns.map(({ id, title, head, width, align, from = 'always', isSortable = false }) => {
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
                (head ?? title)
              )}
            </th>
          )
        })}
        {actionsOf && (
          <th className={styles.actions}>
            <span className="visually-hidden">{words.actions}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { classNames } from '../styles/class-names.ts'
import type { Column } from './columns.ts'
import styles from './data-table.module.css'

export interface WaitingTableProps<Row> {
  columns: readonly Column<Row>[]
  /** Each row will have a tile before its first cell. */
  hasLead?: boolean
  /** Rows will have a checkbox; `wide`: from 768 px. */
  hasChoice?: boolean | 'wide'
  /** Rows will have a menu at their end. */
  hasActions?: boolean
}

/** The filled share of each skeleton bar, by row. */
const FILLED = [0.62, 0.84, 0.45, 0.73, 0.56, 0.9]

/** A table while its rows load. It has the columns of the loaded table, so that nothing moves when the rows arrive. */
export function WaitingTable<Row>(props: WaitingTableProps<Row>) {
  const { columns, hasLead = false, hasChoice = false, hasActions = false } = props
  const choiceClasses = classNames(styles.select, hasChoice === 'wide' && styles.wide)
  const classesOf = ({ width, align, from = 'always' }: Column<Row>) =>
    classNames(
      width?.endsWith('%') && styles.share,
      align === 'end' && styles.end,
      from !== 'always' && styles[from],
    )
  return (
    <div role="status" aria-label={words.loading} className={classNames(styles.wrap, styles.waiting)}>
      <table aria-hidden="true" className={styles.table}>
        <thead>
          <tr>
            {hasChoice && <th className={choiceClasses} />}
            {columns.map((column) => (
              <th key={column.id} style={{ width: column.width }} className={classesOf(column)}>
                {column.title}
              </th>
            ))}
            {hasActions && <th className={styles.actions} />}
          </tr>
        </thead>
        <tbody>
          {FILLED.map((first, row) => (
            <tr key={first} className={styles.row}>
              {hasChoice && <td className={choiceClasses} />}
              {columns.map((column, place) => (
                <td key={column.id} className={classesOf(column)}>
                  {hasLead && place === 0 && <span className={styles.leadGhost} />}
                  <span
                    className={styles.ghost}
                    style={{
                      width: `${place === 0 ? first * 60 : (FILLED[(row + place) % FILLED.length] ?? 0.6) * 80}%`,
                    }}
                  />
                </td>
              ))}
              {hasActions && <td className={styles.actions} />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

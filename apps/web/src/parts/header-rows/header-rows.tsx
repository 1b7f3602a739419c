import { Plus, X } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import styles from './header-rows.module.css'

/** A header of a request during editing. */
interface HeaderRow {
  name: string
  value: string
  /** The server has its value, which is never shown and is kept unless a new one is typed. */
  isStored?: boolean
}

export interface HeaderRowsProps<Row extends HeaderRow> {
  label: string
  words: {
    headerName: string
    headerValue: string
    addHeader: string
    removeHeader(name: string): string
    /** Shown instead of a stored value. */
    headerStored?: string
  }
  detail: string
  /** An example of a name. */
  namePlaceholder: string
  /** Hides values while they are typed. */
  isSecret?: boolean
  rows: readonly Row[]
  /** The row that the button adds. */
  empty: Row
  onChange(rows: Row[]): void
  error: string | null
}

/** Names and values of headers. */
export function HeaderRows<Row extends HeaderRow>(props: HeaderRowsProps<Row>) {
  const { label, words, detail, namePlaceholder, isSecret = false, rows, empty, onChange, error } = props
  const put = (index: number, part: Partial<HeaderRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <fieldset className={styles.headers}>
      <legend className={styles.legend}>{label}</legend>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name of a row changes while it is typed
        <div key={index} className={styles.header}>
          <TextField
            label={words.headerName}
            isLabelHidden
            isMono
            placeholder={namePlaceholder}
            isReadOnly={row.isStored ?? false}
            value={row.name}
            onChange={(name) => put(index, { name })}
          />
          <TextField
            label={words.headerValue}
            isLabelHidden
            isMono
            {...(isSecret ? { isSecret, autoComplete: 'off' } : {})}
            placeholder={(row.isStored ? words.headerStored : null) ?? words.headerValue}
            value={row.value}
            onChange={(value) => put(index, { value })}
          />
          <Button
            emphasis="quiet"
            icon={<X size={14} />}
            aria-label={words.removeHeader(row.name)}
            onPress={() => onChange(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button size="small" icon={<Plus size={14} />} onPress={() => onChange([...rows, empty])}>
          {words.addHeader}
        </Button>
      </div>
      <p className={styles.detail}>{detail}</p>
      {error && (
        <p className={styles.fault} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

import { Plus, X } from 'lucide-react'
import { Button } from '../../../atoms/controls/button.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import type { HeaderRow } from '../../../core/models/model-draft.ts'
import styles from './models.module.css'

export interface HeaderRowsProps {
  label: string
  rows: readonly HeaderRow[]
  onChange(rows: readonly HeaderRow[]): void
  error: string | null
}

/** Names and values of request headers. Stored values are never shown, and stay unless they are typed again. */
export function HeaderRows({ label, rows, onChange, error }: HeaderRowsProps) {
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
            placeholder={words.headerName}
            isReadOnly={row.isStored}
            value={row.name}
            onChange={(name) => put(index, { name })}
          />
          <TextField
            label={words.headerValue}
            isLabelHidden
            isMono
            type="password"
            autoComplete="off"
            placeholder={row.isStored ? words.headerStored : words.headerValue}
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
        <Button
          size="small"
          icon={<Plus size={14} />}
          onPress={() => onChange([...rows, { name: '', value: '', isStored: false }])}
        >
          {words.addHeader}
        </Button>
      </div>
      <p className={styles.faint}>{words.headerDetail}</p>
      {error && (
        <p className={styles.fault} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

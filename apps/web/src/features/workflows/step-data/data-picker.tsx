import { matchingTokens } from '@troupe/editor/tokens/known-tokens'
import { completedToken } from '@troupe/editor/tokens/open-token'
import { use, useMemo, useState } from 'react'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { stepDataWords as words } from '../../../core/messages/en/workflows/step-data.ts'
import styles from './step-data.module.css'
import { SampleOfStep } from './step-sample.ts'
import { ValueLine } from './value-line.tsx'

/** Maximum listed values. */
const MAX_SHOWN = 60

/** The values that a step can read. A press inserts the token of one, as does a drag into any text field. */
export function DataPicker() {
  const { tokens, lastField } = use(SampleOfStep)
  const [wanted, setWanted] = useState('')
  const found = useMemo(() => matchingTokens(tokens, wanted.trim()), [tokens, wanted])
  const shown = found.slice(0, MAX_SHOWN)
  const insert = (path: string) => {
    const field = lastField.current
    if (field === null || !field.isConnected) return void showNotice({ title: words.noField })
    const [from, to] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length]
    field.focus()
    field.setRangeText(completedToken(path), from, to, 'end')
    field.dispatchEvent(new Event('input', { bubbles: true }))
    showNotice({ title: words.inserted(path) })
  }
  if (tokens.length === 0) return <p className={styles.quiet}>{words.nothing}</p>
  return (
    <>
      <TextField type="search" label={words.filter} value={wanted} onChange={setWanted} />
      <p className={styles.quiet}>{shown.length === 0 ? words.noMatch : words.insert}</p>
      <ul className={styles.values} aria-label={words.input}>
        {shown.map(({ path, value }) => (
          <li key={path}>
            <button
              type="button"
              className={styles.value}
              draggable
              // Keeps the caret at the position of the token.
              onMouseDown={(event) => event.stopPropagation()}
              onDragStart={(event) => {
                event.dataTransfer.setData('text/plain', completedToken(path))
                event.dataTransfer.effectAllowed = 'copy'
              }}
              onClick={() => insert(path)}
            >
              <span className={styles.path}>{path}</span>
              <ValueLine value={value} className={styles.excerpt} />
            </button>
          </li>
        ))}
      </ul>
      {found.length > shown.length && (
        <p className={styles.quiet}>{words.more(found.length - shown.length)}</p>
      )}
    </>
  )
}

import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useId, useState } from 'react'
import { Button, Tag, TagGroup, TagList } from 'react-aria-components'
import { escapedText } from '../../core/format/escapes.ts'
import { takenTags, withPasted } from '../../core/format/typed-tags.ts'
import { isComposing } from '../../core/keys/is-composing.ts'
import { focusNext } from '../focus/focus-next.ts'
import fieldStyles from './field.module.css'
import type { FieldWords } from './field-parts.tsx'
import styles from './tag-field.module.css'

export interface TagFieldProps extends FieldWords {
  value: readonly string[]
  onChange(value: string[]): void
  placeholder?: string
  isDisabled?: boolean
  /**
   * Texts are kept as typed, with spaces and commas, and escapes such as `\\n` represent characters that cannot be
   * typed on a line.
   */
  isVerbatim?: boolean
}

/**
 * A list of short texts. Enter, a comma or leaving the field adds the typed text. Backspace in the empty field deletes the last
 * one.
 */
export function TagField(props: TagFieldProps) {
  const {
    label,
    description,
    error,
    value,
    onChange,
    placeholder,
    isDisabled = false,
    isVerbatim = false,
  } = props
  const id = useId()
  const [typed, setTyped] = useState('')
  const shown = (tag: string) => (isVerbatim ? escapedText(tag) : tag)
  const add = (text: string, isLeft = false) => {
    const { added, rest } = takenTags(text, isVerbatim, isLeft)
    if (added.length > 0) onChange([...new Set([...value, ...added])])
    setTyped(rest)
  }
  const remove = (keys: ReadonlySet<unknown>) => {
    onChange(value.filter((tag) => !keys.has(tag)))
    // Removing the last one removes the whole list.
    focusNext(() => document.getElementById(id))
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    if (isVerbatim ? !text.includes('\n') : !/[,\n]/.test(text)) return
    event.preventDefault()
    const input = event.currentTarget
    const selected = {
      start: input.selectionStart ?? typed.length,
      end: input.selectionEnd ?? typed.length,
    }
    const pasted = withPasted(typed, selected, isVerbatim ? escapedText(text) : text)
    if (!isVerbatim) return add(pasted.text)
    // Before the next render, so that the caret is kept: the field already has this text.
    input.value = pasted.text
    input.setSelectionRange(pasted.caret, pasted.caret)
    setTyped(pasted.text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter' || (event.key === ',' && !isVerbatim)) {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '') onChange(value.slice(0, -1))
  }
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id} className={fieldStyles.label}>
        {label}
      </label>
      <div className={styles.tags}>
        {value.length > 0 && (
          <TagGroup
            aria-label={label}
            className={styles.list ?? ''}
            {...(isDisabled ? {} : { onRemove: remove })}
          >
            <TagList className={styles.list ?? ''}>
              {value.map((tag) => (
                <Tag key={tag} id={tag} textValue={shown(tag)} className={styles.tag ?? ''}>
                  {shown(tag)}
                  {!isDisabled && (
                    <Button slot="remove" className={styles.remove ?? ''}>
                      <X size={12} />
                    </Button>
                  )}
                </Tag>
              ))}
            </TagList>
          </TagGroup>
        )}
        <input
          id={id}
          value={typed}
          disabled={isDisabled}
          placeholder={value.length === 0 ? placeholder : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={description || error ? `${id}-notes` : undefined}
          onChange={(event) => setTyped(event.target.value)}
          onPaste={onPaste}
          onKeyDown={onKeyDown}
          onBlur={() => add(typed, true)}
        />
      </div>
      <div id={`${id}-notes`}>
        {description && <p className={fieldStyles.description}>{description}</p>}
        {error && <p className={fieldStyles.error}>{error}</p>}
      </div>
    </div>
  )
}

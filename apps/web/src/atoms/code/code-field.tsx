import { Suspense, useId } from 'react'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { CopyButton } from '../controls/copy-field.tsx'
import fieldStyles from '../controls/field.module.css'
import type { FieldWords } from '../controls/field-parts.tsx'
import { lazyPart } from '../parts/lazy-part.ts'
import { classNames } from '../styles/class-names.ts'
import { LongText } from '../text/long-text.tsx'
import styles from './code-field.module.css'
import { type CodeLanguage, lineRem } from './code-language.ts'

const PADDING_REM = 1

const CodeEditor = lazyPart(async () => (await import('./code-editor.tsx')).CodeEditor)

export interface CodeFieldProps extends FieldWords {
  value: string
  onChange(value: string): void
  /** `json` is coloured and checked while it is typed; `yaml` has numbered lines; `markdown` shows its headings, code and emphasis. */
  language?: CodeLanguage
  isReadOnly?: boolean
  placeholder?: string
  /** In lines; 6 and 24 when absent. */
  minLines?: number
  maxLines?: number
  /** A line to scroll to, from 1; each new object scrolls again. */
  place?: { readonly line: number } | null
}

/** A growing editor for JSON, instructions and other long texts. Its code is loaded when it is first shown. */
export function CodeField(props: CodeFieldProps) {
  const { label, description, error, isLabelHidden = false, isReadOnly = false, ...editor } = props
  const id = useId()
  return (
    <div className={classNames(fieldStyles.field, fieldStyles.stacked)}>
      <span id={id} className={isLabelHidden ? 'visually-hidden' : fieldStyles.label}>
        {label}
      </span>
      <div className={classNames(styles.box, error && styles.invalid, isReadOnly && styles.readOnly)}>
        <Suspense fallback={<div style={{ minHeight: waitingHeight(props) }} />}>
          <CodeEditor
            {...editor}
            labelId={id}
            notesId={description || error ? `${id}-notes` : null}
            isInvalid={Boolean(error)}
            isReadOnly={isReadOnly}
          />
        </Suspense>
      </div>
      <div id={`${id}-notes`}>
        {description && <p className={fieldStyles.description}>{description}</p>}
        {error && (
          <p className={fieldStyles.error} role="alert">
            {error}
          </p>
        )}
      </div>
    </div>
  )
}

/** The height of the future editor, so that nothing below it moves when its code has loaded. */
function waitingHeight({ value, language, minLines = 6, maxLines = 24 }: CodeFieldProps): string {
  let lines = 1
  for (let at = value.indexOf('\n'); at !== -1 && lines < maxLines; at = value.indexOf('\n', at + 1))
    lines += 1
  return `${Math.max(minLines, lines) * lineRem(language) + PADDING_REM}rem`
}

export interface CodeBlockProps {
  /** Its label: "Answer". */
  label: string
  text: string
  isWrapped?: boolean
}

/** A text to read and to copy: a command, JSON, a prompt. */
export function CodeBlock({ label, text, isWrapped = false }: CodeBlockProps) {
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classNames(styles.pre, isWrapped && styles.wrap)} aria-label={label} tabIndex={0}>
        <LongText text={text} />
      </section>
      <div className={styles.corner}>
        <span className={styles.caption} aria-hidden="true">
          {label}
        </span>
        <CopyButton text={text} label={words.copy(label)} />
      </div>
    </div>
  )
}

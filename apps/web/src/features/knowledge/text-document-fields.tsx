import { TextArea, TextField } from '../../atoms/controls/text-field.tsx'
import { TextLines } from '../../atoms/controls/text-lines.tsx'
import { isMetadataLine } from '../../core/knowledge/metadata-text.ts'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { fieldFailure } from '../../infrastructure/client/field-failure.ts'

const words = knowledgeWords.documents

/** A written document during editing. */
export interface TextDraft {
  name: string
  text: string
  metadata: string[]
}

/** Whether it is complete enough to send. */
export function isCompleteText({ name, text, metadata }: TextDraft): boolean {
  return name.trim() !== '' && text.trim() !== '' && metadata.every(isMetadataLine)
}

export interface TextDocumentFieldsProps {
  value: TextDraft
  onChange(change: Partial<TextDraft>): void
  failure: CallFailure | null
  /** The help text below the text. */
  detail: string
}

/** The fields of a document written in the browser. */
export function TextDocumentFields({ value, onChange, failure, detail }: TextDocumentFieldsProps) {
  const { name, text, metadata } = value
  return (
    <>
      <TextField
        label={words.textName}
        placeholder={words.textNamePlaceholder}
        value={name}
        onChange={(next) => onChange({ name: next })}
        autoFocus
        isRequired
        maxLength={255}
        error={fieldFailure(failure, 'name')}
      />
      <TextArea
        label={words.text}
        description={detail}
        rows={10}
        value={text}
        onChange={(next) => onChange({ text: next })}
        isRequired
        maxLength={1_000_000}
        error={fieldFailure(failure, 'text')}
      />
      <MetadataField value={metadata} onChange={(next) => onChange({ metadata: next })} />
    </>
  )
}

export interface MetadataFieldProps {
  value: readonly string[]
  onChange(value: string[]): void
}

/** A document's metadata, one line per value. */
export function MetadataField({ value, onChange }: MetadataFieldProps) {
  const wrong = value.find((line) => !isMetadataLine(line))
  return (
    <TextLines
      label={words.metadata}
      description={words.metadataDetail}
      value={value}
      onChange={onChange}
      error={wrong === undefined ? null : `${wrong} ${words.metadataFault}`}
    />
  )
}

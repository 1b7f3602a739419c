import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { CodeField } from '../../../atoms/code/code-field.tsx'
import { Button } from '../../../atoms/controls/button.tsx'
import { type ReadFile, TextFileButton, useTextFileDrop } from '../../../atoms/controls/text-file.tsx'
import { ConfirmDialog } from '../../../atoms/overlays/confirm-dialog.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { leftOutIn, withLeftOut } from '../../../core/bundles/bundle-text.ts'
import { bundleWords } from '../../../core/messages/en/settings/bundle.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import styles from './bundle.module.css'
import { exampleBundle } from './example-bundle.ts'
import type { BundleText } from './use-bundle-text.ts'

const MOST_BYTES = 8_000_000
const MOST_ARCHIVE_BYTES = 512 * 1024 * 1024
const ACCEPTED = [
  '.yaml',
  '.yml',
  '.json',
  '.zip',
  'application/zip',
  'application/yaml',
  'application/json',
  'text/plain',
]

export interface BundleTextSectionProps {
  source: BundleText
  /** The line to scroll to. */
  place: { line: number } | null
  /** The archive that the text comes from; null: none. */
  archive: File | null
  onArchive(archive: File | null): void
  onClear(): void
}

/** The text of a bundle: pasted, selected or dropped. */
export function BundleTextSection({ source, place, archive, onArchive, onClear }: BundleTextSectionProps) {
  const { membership } = usePlace()
  const [fault, setFault] = useState<string | null>(null)
  const [isClearing, setClearing] = useState(false)
  const { text, change, kept } = source
  const take = ({ name, text: read, fault: why }: ReadFile) => {
    if (why === null) {
      onArchive(null)
      change(read)
    }
    setFault(why === null ? null : why === 'too_long' ? bundleWords.tooLong(name) : bundleWords.notText(name))
  }
  const takeArchive = (file: File) => {
    if (!/\.zip$/i.test(file.name)) return false
    const isTooLong = file.size > MOST_ARCHIVE_BYTES
    setFault(isTooLong ? bundleWords.archiveTooLong(file.name) : null)
    if (!isTooLong) onArchive(file)
    return true
  }
  const isOver = useTextFileDrop(MOST_BYTES, take, takeArchive)
  const leftOut = leftOutIn(text)
  const isEmpty = text === ''
  return (
    <div className={styles.text} data-over={isOver || undefined}>
      <div className={styles.buttons}>
        <TextFileButton
          accept={ACCEPTED}
          icon={<FileUp size={14} />}
          maxBytes={MOST_BYTES}
          onFile={take}
          onRawFile={takeArchive}
        >
          {bundleWords.chooseFile}
        </TextFileButton>
        {isEmpty ? (
          <Button emphasis="quiet" onPress={() => change(exampleBundle(membership.slug, membership.name))}>
            {bundleWords.example}
          </Button>
        ) : (
          <Button emphasis="quiet" onPress={() => setClearing(true)}>
            {bundleWords.clear}
          </Button>
        )}
        <span className={styles.faint} role="status">
          {isOver ? bundleWords.dropHere : isEmpty ? '' : KEPT[kept]}
        </span>
      </div>
      <CodeField
        label={bundleWords.text}
        description={bundleWords.textDetail}
        error={fault}
        language="yaml"
        value={text}
        onChange={(next) => {
          setFault(null)
          change(next)
        }}
        minLines={isEmpty ? 8 : 12}
        maxLines={28}
        place={place}
        placeholder={bundleWords.emptyText}
      />
      {archive && (
        <Callout tone="info">
          <div className={styles.hint}>
            <span>{bundleWords.archive(archive.name)}</span>
            <Button size="small" onPress={() => onArchive(null)}>
              {bundleWords.withoutArchive}
            </Button>
          </div>
        </Callout>
      )}
      {isEmpty && <Callout>{bundleWords.empty}</Callout>}
      {leftOut > 0 && (
        <Callout tone="info">
          <div className={styles.hint}>
            <span>{bundleWords.hidden(leftOut)}</span>
            <Button size="small" onPress={() => change(withLeftOut(text))}>
              {bundleWords.useHidden}
            </Button>
          </div>
        </Callout>
      )}
      <ConfirmDialog
        isOpen={isClearing}
        onClose={() => setClearing(false)}
        title={bundleWords.clearTitle}
        action={bundleWords.clear}
        isDanger
        onConfirm={() => {
          setClearing(false)
          onClear()
        }}
      >
        <p>{bundleWords.clearDetail}</p>
      </ConfirmDialog>
    </div>
  )
}

const KEPT = { device: bundleWords.kept, tab: bundleWords.keptInTab, nowhere: bundleWords.notKept } as const

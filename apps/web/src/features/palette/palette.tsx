import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { CommandPalette } from '../../atoms/overlays/command-palette.tsx'
import { paletteWords } from '../../core/messages/en/palette.ts'
import { matchingGroups } from './matching-groups.ts'
import { useFoundEntries } from './use-found-entries.tsx'
import { usePaletteGroups } from './use-palette-groups.tsx'
import { type OpenedSubject, useSubjectEntries } from './use-subject-entries.tsx'

const ShowAsCurlDialog = lazy(async () => ({
  default: (await import('../../parts/show-as-curl/show-as-curl-action.tsx')).ShowAsCurlDialog,
}))
const ExportBundleDialog = lazy(async () => ({
  default: (await import('../../parts/export-bundle/export-bundle-dialog.tsx')).ExportBundleDialog,
}))

/** ⌘K: every page, every action, and what the server finds. */
export function Palette({ isOpen, onClose, onKeys }: { isOpen: boolean; onClose(): void; onKeys(): void }) {
  const [text, setText] = useState('')
  const close = () => {
    setText('')
    onClose()
  }
  const [opened, setOpened] = useState<OpenedSubject | null>(null)
  const groups = usePaletteGroups(onKeys, useSubjectEntries(setOpened))
  const found = useFoundEntries(useDeferredValue(text), isOpen)
  const shown = matchingGroups(groups, text)
  const all =
    found.length === 0 ? shown : [...shown, { id: 'found', title: paletteWords.found, entries: found }]
  return (
    <>
      <CommandPalette
        isOpen={isOpen}
        onClose={close}
        label={paletteWords.label}
        placeholder={paletteWords.placeholder}
        text={text}
        onText={setText}
        groups={all}
        empty={paletteWords.empty(text)}
      />
      {opened && <SubjectDialog opened={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

/** What the page is about, as a command or as a file. */
function SubjectDialog({ opened: { kind, subject }, onClose }: { opened: OpenedSubject; onClose(): void }) {
  const { operation, params, include } = subject
  return (
    <Suspense>
      {kind === 'curl' ? (
        <ShowAsCurlDialog
          requests={[{ title: paletteWords.shown, operation, input: { params } }]}
          onClose={onClose}
        />
      ) : (
        <ExportBundleDialog include={include === null ? [] : [include]} onClose={onClose} />
      )}
    </Suspense>
  )
}

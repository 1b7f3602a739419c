import { useDeferredValue, useEffect, useLayoutEffect, useState } from 'react'
import { CommandPalette } from '../../atoms/overlays/command-palette.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import type { MenuEntry } from '../../atoms/overlays/menu.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { paletteWords } from '../../core/messages/en/palette.ts'
import { paletteFieldWords } from '../../core/messages/en/palette-field.ts'
import { useValue } from '../../infrastructure/preferences/use-value.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { ExportThing } from '../../parts/export-bundle/export-thing.tsx'
import { matchingGroups } from './matching-groups.ts'
import { clearPalette, enterPalette, paletteInput, typePalette } from './palette-input.ts'
import { useFoundEntries } from './use-found-entries.tsx'
import { useKeyEntries } from './use-key-entries.tsx'
import { usePaletteGroups } from './use-palette-groups.tsx'
import { type OpenedSubject, useSubjectEntries } from './use-subject-entries.tsx'

const ShowAsCurlDialog = lazyPart(
  async () => (await import('../../parts/show-as-curl/show-as-curl-action.tsx')).ShowAsCurlDialog,
)
/** ⌘K: every page, every action, and search results of the server. */
export function Palette({ isOpen, onClose, onKeys }: { isOpen: boolean; onClose(): void; onKeys(): void }) {
  const { text, isEntered } = useValue(paletteInput)
  const goTo = useGoTo()
  const close = () => {
    clearPalette()
    onClose()
  }
  // The placeholder field first returns the focus, so that closing restores it.
  const [isHere, setHere] = useState(false)
  useLayoutEffect(() => setHere(true), [])
  const [opened, setOpened] = useState<OpenedSubject | null>(null)
  const groups = usePaletteGroups(onKeys, [...useKeyEntries(), ...useSubjectEntries(setOpened)])
  const searched = useDeferredValue(text)
  const found = useFoundEntries(searched, isOpen)
  const isSearching = found.isSearching || searched !== text
  const shown = matchingGroups(groups, text)
  const all =
    found.entries.length === 0
      ? shown
      : [...shown, { id: 'found', title: paletteWords.found, entries: found.entries }]
  const choose = ({ href, onAction }: MenuEntry) => {
    close()
    if (href) goTo(href)
    else onAction?.()
  }
  const first = all.flatMap(({ entries }) => entries).find(({ isDisabled = false }) => !isDisabled)
  useEffect(() => {
    if (isOpen && isEntered && first) choose(first)
    // Enter right after a paste applies to the pending results.
    else if (isEntered && !isSearching) typePalette(text)
  })
  return (
    <>
      <CommandPalette
        {...paletteFieldWords}
        isOpen={isOpen && isHere}
        onClose={close}
        text={text}
        onText={typePalette}
        onEnter={enterPalette}
        groups={all}
        empty={isSearching ? paletteWords.searching : (found.failure?.message ?? paletteWords.empty(text))}
      />
      {opened && <SubjectDialog opened={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

/** The subject of the page, as a command or as a file. */
function SubjectDialog({
  opened: { kind, subject, query },
  onClose,
}: {
  opened: OpenedSubject
  onClose(): void
}) {
  const { operation, params, include } = subject
  return (
    <LazyDialog>
      {kind === 'curl' ? (
        <ShowAsCurlDialog
          requests={[{ title: paletteWords.shown, operation, input: { params, query } }]}
          onClose={onClose}
        />
      ) : (
        <ExportThing include={include === null ? [] : [include]} onClose={onClose} />
      )}
    </LazyDialog>
  )
}

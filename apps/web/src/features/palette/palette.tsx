import { useDeferredValue, useState } from 'react'
import { CommandPalette } from '../../atoms/overlays/command-palette.tsx'
import { paletteWords } from '../../core/messages/en/palette.ts'
import { matchingGroups } from './matching-groups.ts'
import { useFoundEntries } from './use-found-entries.tsx'
import { usePaletteGroups } from './use-palette-groups.tsx'

/** ⌘K: every page, every action, and what the server finds. */
export function Palette({ isOpen, onClose, onKeys }: { isOpen: boolean; onClose(): void; onKeys(): void }) {
  const [text, setText] = useState('')
  const close = () => {
    setText('')
    onClose()
  }
  const groups = usePaletteGroups(onKeys)
  const found = useFoundEntries(useDeferredValue(text), isOpen)
  const shown = matchingGroups(groups, text)
  const all =
    found.length === 0 ? shown : [...shown, { id: 'found', title: paletteWords.found, entries: found }]
  return (
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
  )
}

import { useState } from 'react'
import { CommandPalette } from '../../atoms/overlays/command-palette.tsx'
import { paletteWords } from '../../core/messages/en/palette.ts'
import { matchingGroups } from './matching-groups.ts'
import { usePaletteGroups } from './use-palette-groups.tsx'

/** ⌘K: every page, every action, and what the server finds. */
export function Palette({ isOpen, onClose, onKeys }: { isOpen: boolean; onClose(): void; onKeys(): void }) {
  const [text, setText] = useState('')
  const close = () => {
    setText('')
    onClose()
  }
  const groups = usePaletteGroups(onKeys)
  return (
    <CommandPalette
      isOpen={isOpen}
      onClose={close}
      label={paletteWords.label}
      placeholder={paletteWords.placeholder}
      text={text}
      onText={setText}
      groups={matchingGroups(groups, text)}
      empty={paletteWords.empty(text)}
    />
  )
}

import { PaletteField } from '../../atoms/overlays/palette-field.tsx'
import { paletteFieldWords } from '../../core/messages/en/palette-field.ts'
import { useValue } from '../../infrastructure/preferences/use-value.ts'
import { clearPalette, enterPalette, paletteInput, typePalette } from './palette-input.ts'

/** The palette while its code is loading. */
export function WaitingPalette({ onClose }: { onClose(): void }) {
  const { text } = useValue(paletteInput)
  const close = () => {
    clearPalette()
    onClose()
  }
  return (
    <PaletteField
      {...paletteFieldWords}
      text={text}
      onText={typePalette}
      onEnter={enterPalette}
      onClose={close}
    />
  )
}

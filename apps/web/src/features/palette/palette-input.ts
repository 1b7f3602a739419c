import { createValueStore } from '../../infrastructure/client/value-store.ts'

/** The text typed into the palette, even before its code has loaded. */
export interface PaletteInput {
  text: string
  /** Enter was pressed before any entry was available. */
  isEntered: boolean
}

const EMPTY: PaletteInput = { text: '', isEntered: false }

export const paletteInput = createValueStore(EMPTY)

export function typePalette(text: string): void {
  paletteInput.set({ text, isEntered: false })
}

export function enterPalette(): void {
  paletteInput.set({ ...paletteInput.get(), isEntered: true })
}

export function clearPalette(): void {
  paletteInput.set(EMPTY)
}

/**
 * True for a key that an input method takes: it composes a character, and Enter or Escape ends the composition. Safari reports the
 * ending Enter after `compositionend`, with `isComposing` false and the key code 229 (https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode).
 */
export function isComposing({
  isComposing: composes,
  keyCode,
}: Readonly<{ isComposing: boolean; keyCode: number }>): boolean {
  return composes || keyCode === 229
}

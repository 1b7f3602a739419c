/**
 * Copies a text to the clipboard and returns whether it succeeded. Plain http on another host than localhost has no
 * `navigator.clipboard`: there a selected field is copied by command.
 */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const focused = document.activeElement
  const field = document.createElement('textarea')
  // A dialog traps the focus, except for elements with this attribute.
  field.setAttribute('data-react-aria-top-layer', 'true')
  field.value = text
  field.style.position = 'fixed'
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

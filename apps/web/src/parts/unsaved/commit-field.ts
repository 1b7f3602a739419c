/** Some fields, such as numbers, commit their input on blur. Resolves when the page has it. */
export async function commitField(): Promise<void> {
  const field = document.activeElement
  if (!(field instanceof HTMLElement) || !field.matches('input')) return
  field.blur()
  field.focus({ preventScroll: true })
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

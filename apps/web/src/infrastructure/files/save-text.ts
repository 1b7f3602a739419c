/** Hands a text to the person as a file. */
export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The download reads the text after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

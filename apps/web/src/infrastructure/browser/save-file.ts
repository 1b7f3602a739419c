/** Gives a text to the person as a file of their browser's downloads. */
export function saveFile(name: string, text: string, mediaType: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has read the address when the click returns to the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 0)
}

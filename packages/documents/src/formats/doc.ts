import WordExtractor from 'word-extractor'

/** The body text, followed by text boxes, footnotes and endnotes. */
export async function parseDoc(bytes: Buffer): Promise<string> {
  const document = await new WordExtractor().extract(bytes)
  const parts = [
    document.getBody(),
    document.getTextboxes({ includeHeadersAndFooters: false }),
    document.getFootnotes(),
    document.getEndnotes(),
  ]
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}

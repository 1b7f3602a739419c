/** The searched texts of a template. */
interface FoundByWords {
  id: string
  name: string
  /** One sentence: purpose and audience. */
  detail: string
  /** Words that a search finds it by, beside those of its name and sentence. */
  keywords: readonly string[]
}

/** The templates in which each typed word begins a word of the name, the sentence or the keywords; all of them for a blank text. */
export function findTemplates<T extends FoundByWords>(templates: readonly T[], text: string): T[] {
  const typed = wordsOf(text)
  return templates.filter(({ name, detail, keywords }) => {
    const words = wordsOf([name, detail, ...keywords].join(' '))
    return typed.every((start) => words.some((word) => word.startsWith(start)))
  })
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The searchable part of a group of entries. */
interface Searched<Entry> {
  entries: readonly Entry[]
}

/** The groups with the entries that contain every typed word, in any order. Entries that begin with the text come first. */
export function matchingGroups<
  Entry extends { label: string; detail?: string },
  Group extends Searched<Entry>,
>(groups: readonly Group[], text: string): Group[] {
  const typed = text.trim().toLocaleLowerCase()
  const words = typed.split(/\s+/)
  return groups.flatMap((group) => {
    const entries = group.entries
      .filter(({ label, detail = '' }) => {
        const searched = `${label} ${detail}`.toLocaleLowerCase()
        return words.every((word) => searched.includes(word))
      })
      .toSorted((a, b) => Number(begins(b.label, typed)) - Number(begins(a.label, typed)))
    return entries.length === 0 ? [] : [{ ...group, entries }]
  })
}

const begins = (label: string, typed: string) => typed !== '' && label.toLocaleLowerCase().startsWith(typed)

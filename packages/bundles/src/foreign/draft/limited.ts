import { shortened } from '@troupe/contract'

/** Maximum characters of a Note. */
const MAX_NOTE = 100_000

/** The entries up to the limit of the draft; a remark counts the omitted ones. `what`: "fields of its form". */
export function limited<T>(entries: readonly T[], most: number, what: string, remarks: string[]): T[] {
  if (entries.length > most) {
    remarks.push(
      `Of its ${entries.length} ${what}, the first ${most} are imported, the maximum here. Add the others where they are needed.`,
    )
  }
  return entries.slice(0, most)
}

/** A text up to the limit of the draft; a remark reports a truncation. `what`: "title of its form". */
export function limitedText(text: string, most: number, what: string, remarks: string[]): string {
  if (text.length > most) {
    remarks.push(`The ${what} has ${text.length} characters. It is truncated to ${most}, the maximum here.`)
  }
  return shortened(text, most)
}

/** The text of a sticky note; a remark reports a truncation. */
export function limitedNote(text: string, remarks: string[]): string {
  return limitedText(text, MAX_NOTE, 'text of the note', remarks)
}

/** The sort of a file, for its icon. */
export type FileSort = 'image' | 'audio' | 'video' | 'table' | 'text' | 'archive' | 'other'

/** Parts of media types; the first match decides. */
const PARTS: readonly (readonly [part: string, sort: FileSort])[] = [
  ['image/', 'image'],
  ['audio/', 'audio'],
  ['video/', 'video'],
  ['csv', 'table'],
  ['excel', 'table'],
  ['spreadsheet', 'table'],
  ['zip', 'archive'],
  ['x-tar', 'archive'],
  ['text/', 'text'],
  ['pdf', 'text'],
  ['word', 'text'],
  ['document', 'text'],
  ['rtf', 'text'],
  ['json', 'text'],
  ['xml', 'text'],
]

/** The sort of a media type; `other` for an unknown or empty one. */
export function fileSort(contentType: string): FileSort {
  return PARTS.find(([part]) => contentType.includes(part))?.[1] ?? 'other'
}

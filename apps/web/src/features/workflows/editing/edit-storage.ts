import { uncommittedPlaces } from '../../../infrastructure/drafts/uncommitted-drafts.ts'
import { forgetKept, keepValue, readKeptDraft } from '../../../infrastructure/drafts/use-draft.ts'
import {
  deleteValue,
  keysBelow,
  readValue,
  writeValue,
} from '../../../infrastructure/storage/browser-database.ts'
import { leaveTail, tailsBelow } from '../../../infrastructure/storage/page-tail.ts'
import type { EditStorage } from './kept-edits.ts'

const storedKeys = (prefix: string) => keysBelow(prefix).catch(() => [])

/** The storage of this browser. */
export const BROWSER_STORAGE: EditStorage = {
  read: (key) => readValue(key).catch(() => undefined),
  write: writeValue,
  remove: deleteValue,
  keysBelow: storedKeys,
  edit: async (place) => (await readKeptDraft(place))?.value,
  editsBelow: async (prefix) => [
    ...new Set([...(await storedKeys(prefix)), ...tailsBelow(prefix), ...uncommittedPlaces(prefix)]),
  ],
  keepEdit: (place, stored, isLast) => {
    if (isLast) leaveTail(place, stored)
    return keepValue(place, stored)
  },
  forgetEdit: forgetKept,
}

import { useRef, useState } from 'react'
import {
  changedEdit,
  editSince,
  fieldsOnTop,
  isTypedEdit,
  pick,
  type TypedEdit,
} from '../../core/forms/typed-fields.ts'
import { type DraftOrigin, useDraft } from './use-draft.ts'

/** The fields of a form, which outlive the dialog, a reload and a sign-in that ended until they are sent. */
export interface TypedForm<F extends object> {
  /** The saved state with the user's input. */
  fields: F
  change(part: Partial<F>): void
  /** Only the user's changes: saving them keeps a colleague's concurrent changes. */
  changed: Partial<F>
  isChanged: boolean
  /** Fields that somebody else changed to another value while they were edited here. */
  contested: readonly (keyof F & string)[]
  /** An edit of an earlier visit was found. */
  isRestored: boolean
  /** After a save of these fields: input in the meantime is kept, as an edit of the sent state. */
  settle(): void
  /** To start over. */
  discard(): void
  /** The edit in the browser's storage, for a copy of it on the server. */
  stored: StoredForm<F>
}

export interface StoredForm<F extends object> {
  key: string
  isEdit(value: unknown): value is TypedEdit<F>
  /** As rendered. */
  edit: TypedEdit<F> | null
  /** With the last key. */
  latest(): TypedEdit<F> | null
  /** Replaces it by an edit of another device. */
  put(edit: TypedEdit<F> | null): void
  origin: DraftOrigin
  isLoading: boolean
}

/**
 * The fields of a small form. Not for secrets: it is stored on the device.
 *
 * @param key the subject of the form: `project/new`
 * @param saved the server's state, or the initial values of an empty form; every field must be present
 */
export function useTypedForm<F extends object>(key: string, saved: F): TypedForm<F> {
  const isEdit = (value: unknown): value is TypedEdit<F> => isTypedEdit(value, saved)
  const place = `form/${key}`
  const kept = useDraft(place, isEdit)
  const [hasTyped, setTyped] = useState(false)
  // Several changes of one gesture come before the next render.
  const latest = useRef(kept.value)
  latest.current = kept.value
  const { fields, changed, contested } = fieldsOnTop(kept.value, saved)
  const keep = (edit: TypedEdit<F>) => {
    latest.current = edit
    kept.edit(edit, '')
  }
  const discard = () => {
    latest.current = null
    setTyped(false)
    kept.discard()
  }
  return {
    fields,
    change: (part) => {
      setTyped(true)
      keep(changedEdit(latest.current, saved, part))
    },
    changed: pick(fields, changed),
    isChanged: changed.length > 0,
    contested,
    isRestored: changed.length > 0 && !hasTyped,
    settle: () => {
      const [sent, now] = [kept.value, latest.current]
      if (now === null || now === sent) discard()
      else keep(editSince(fields, sent?.mine ?? saved, now.mine))
    },
    discard,
    stored: {
      ...{ key: place, isEdit, edit: kept.value, origin: kept.origin, isLoading: kept.isLoading },
      latest: () => latest.current,
      put: (edit) => (edit === null ? discard() : keep(edit)),
    },
  }
}

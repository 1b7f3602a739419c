import type { UnsavedKind } from '@troupe/contract/builder'
import { mergedTypedEdits, type TypedEdit, typedEditSince } from '../../core/forms/typed-fields.ts'
import { type TypedForm, useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import type { BasedEdit } from './based-edit.ts'
import { useEditSync } from './use-edit-sync.ts'

/** The same as {@link useTypedForm}, with the input on every device of its user. @param thing null: it is not on the server yet */
export function useSyncedForm<F extends object>(
  key: string,
  saved: F,
  thing: { kind: UnsavedKind; id: string } | null,
): TypedForm<F> {
  const typed = useTypedForm(key, saved)
  const { stored } = typed
  useEditSync<TypedEdit<F>>({
    ...{ thing, key: stored.key, isEdit: stored.isEdit, origin: stored.origin, isLoading: stored.isLoading },
    shown: based(stored.edit),
    local: () => based(stored.latest()),
    setLocal: (edit) => stored.put(edit?.edit ?? null),
    // The merge is by field and needs no version.
    readSaved: async () => undefined,
    merge: ({ local, former, remote }) => ({
      edit: mergedTypedEdits(local.edit, former?.edit ?? null, remote.edit),
      base: '',
    }),
    since: (local, former) => (former === null ? local : based(typedEditSince(local.edit, former.edit))),
  })
  return typed
}

function based<F extends object>(edit: TypedEdit<F> | null): BasedEdit<TypedEdit<F>> | null {
  return edit && { edit, base: '' }
}

import type { Permission } from '@troupe/contract'
import { CreateButton } from '../../atoms/overlays/create-button.tsx'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/**
 * The button of a list that opens the form of a new resource, which is also the key `c`.
 *
 * @param keyLabel the name of the key in the list of keys, if it differs from the button's
 */
export function useCreateButton(needs: Permission, label: string, open: () => void, keyLabel = label) {
  const { may } = usePlace()
  const refusal = useRefusal(needs)
  useKeys([{ keys: 'c', label: keyLabel, run: () => may(needs) && open() }])
  return (
    <CreateButton refusal={refusal} onPress={open}>
      {label}
    </CreateButton>
  )
}

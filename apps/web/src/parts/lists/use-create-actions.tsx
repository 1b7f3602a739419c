import { CreateButton } from '../../atoms/overlays/create-button.tsx'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ExampleButton } from './example-button.tsx'

/**
 * The button of a list that creates a resource, which is also the key `c`, and the actions of the empty list: the
 * button, and the same form filled with an example.
 */
export function useCreateActions(label: string, open: (form: { create: true; example?: true }) => void) {
  const { may } = usePlace()
  const refusal = useRefusal('build')
  const create = () => open({ create: true })
  useKeys([{ keys: 'c', label, run: () => may('build') && create() }])
  const button = (
    <CreateButton refusal={refusal} onPress={create}>
      {label}
    </CreateButton>
  )
  const firstActions = (
    <>
      {button}
      <ExampleButton refusal={refusal} onPress={() => open({ create: true, example: true })} />
    </>
  )
  return { button, firstActions }
}

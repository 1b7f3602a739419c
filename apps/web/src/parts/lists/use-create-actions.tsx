import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { ExampleButton } from './example-button.tsx'
import { useCreateButton } from './use-create-button.tsx'

/**
 * The button of a list that creates a resource, and the actions of the empty list: the button, and the same form filled
 * with an example.
 */
export function useCreateActions(label: string, open: (form: { create: true; example?: true }) => void) {
  const button = useCreateButton('build', label, () => open({ create: true }))
  const refusal = useRefusal('build')
  const firstActions = (
    <>
      {button}
      <ExampleButton refusal={refusal} onPress={() => open({ create: true, example: true })} />
    </>
  )
  return { button, firstActions }
}

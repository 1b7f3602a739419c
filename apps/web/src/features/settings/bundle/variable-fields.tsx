import { TextField } from '../../../atoms/controls/text-field.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { bundleWords } from '../../../core/messages/en/settings/bundle.ts'

export interface VariableFieldsProps {
  names: readonly string[]
  values: Readonly<Record<string, string>>
  onChange(name: string, value: string): void
}

/** Values of a bundle's variables. They may be secrets, so they are only in the state of the page. */
export function VariableFields({ names, values, onChange }: VariableFieldsProps) {
  return (
    <Section title={bundleWords.variables} detail={bundleWords.variablesDetail}>
      <Card>
        {names.map((name) => (
          <TextField
            key={name}
            label={name}
            isSecret
            autoComplete="off"
            isMono
            value={values[name] ?? ''}
            onChange={(value) => onChange(name, value)}
          />
        ))}
      </Card>
    </Section>
  )
}

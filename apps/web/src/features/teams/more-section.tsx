import { Card, Section } from '../../atoms/layout/page.tsx'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { SettingField } from '../../parts/config-form/setting-field.tsx'
import { GuardrailFields } from '../../parts/guardrails/guardrail-fields.tsx'
import type { TeamForm } from './team-form.ts'

const words = teamPageWords.more

/** Who else may call the team, and rules for the message and the answer. */
export function MoreSection({ form }: { form: TeamForm }) {
  return (
    <Section title={words.title} detail={words.detail}>
      <Card>
        <SettingField form={form} path="expose" />
        <GuardrailFields form={form} at="guardrails" projectId={form.projectId} />
      </Card>
    </Section>
  )
}

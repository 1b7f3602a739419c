import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { SettingField } from '../../parts/config-form/setting-field.tsx'
import { EditorSection } from '../../parts/editor-section/editor-section.tsx'
import { GuardrailFields } from '../../parts/guardrails/guardrail-fields.tsx'
import type { TeamForm } from './team-form.ts'

const words = teamPageWords.more

/** Other callers of the team, and guardrails for the message and the answer. */
export function MoreSection({ form }: { form: TeamForm }) {
  return (
    <EditorSection
      id="more"
      title={words.title}
      detail={words.detail}
      isChanged={form.isSectionChanged('more')}
    >
      <SettingField form={form} path="expose" />
      <GuardrailFields form={form} at="guardrails" projectId={form.projectId} />
    </EditorSection>
  )
}

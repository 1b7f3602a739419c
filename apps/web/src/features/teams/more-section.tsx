import { Toggle } from '../../atoms/controls/toggles.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { teamPageWords } from '../../core/messages/en/teams.ts'
import { JsonSetting } from './json-setting.tsx'
import type { TeamForm } from './team-form.ts'

const words = teamPageWords.more

/** Guardrails, and who else may call the team. */
export function MoreSection({ form }: { form: TeamForm }) {
  const { config, change, errorAt, isReadOnly } = form
  return (
    <Section title={words.title} detail={words.detail}>
      <Card>
        <div data-setting="config.expose">
          <Toggle
            isSelected={config.expose === 'mcp'}
            onChange={(isOn) => change('expose', isOn ? 'mcp' : null)}
            isDisabled={isReadOnly}
            description={words.mcpDetail}
          >
            {words.mcp}
          </Toggle>
        </div>
        <div data-setting="config.guardrails">
          <JsonSetting
            label={words.guardrails}
            description={words.guardrailsDetail}
            value={config.guardrails}
            onChange={(value) => change('guardrails', value ?? { input: [], output: [] })}
            isReadOnly={isReadOnly}
            error={errorAt('guardrails')}
          />
        </div>
      </Card>
    </Section>
  )
}

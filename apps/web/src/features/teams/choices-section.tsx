import { NumberField } from '../../atoms/controls/number-field.tsx'
import { RadioGroup } from '../../atoms/controls/choices.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { Toggle } from '../../atoms/controls/toggles.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { teamPageWords } from '../../core/messages/en/teams.ts'
import { readsSetting } from '../../core/teams/mode-settings.ts'
import { JsonSetting } from './json-setting.tsx'
import type { TeamForm } from './team-form.ts'

const words = teamPageWords.choices
const NONE = 'none'

/** What decides about the answer: the mode's own choices, and its form. */
export function ChoicesSection({ form, nameOf }: { form: TeamForm; nameOf(agentId: string): string }) {
  const { config, change, errorAt, isReadOnly } = form
  const { mode, members, fallback_member: fallback, min_successful_members: least } = config
  const isShown = (setting: Parameters<typeof readsSetting>[1]) =>
    readsSetting(mode, setting) || errorAt(setting) !== null
  return (
    <Section title={words.title} detail={words.detail[mode]}>
      <Card>
        {isShown('fallback_member') && (
          <div data-setting="config.fallback_member">
            <Select
              label={words.fallback}
              description={words.fallbackDetail}
              value={fallback ?? NONE}
              onChange={(agentId) => change('fallback_member', agentId === NONE ? null : agentId)}
              isDisabled={isReadOnly}
              error={errorAt('fallback_member')}
              options={[
                { id: NONE, label: words.noFallback },
                ...members.map(({ agent }) => ({ id: agent, label: nameOf(agent) })),
              ]}
            />
          </div>
        )}
        {isShown('lead_may_answer_directly') && (
          <div data-setting="config.lead_may_answer_directly">
            <Toggle
              isSelected={config.lead_may_answer_directly}
              onChange={(isOn) => change('lead_may_answer_directly', isOn)}
              description={words.directDetail}
              isDisabled={isReadOnly}
            >
              {words.direct}
            </Toggle>
          </div>
        )}
        {isShown('min_successful_members') && (
          <div data-setting="config.min_successful_members">
            <NumberField
              label={words.least}
              description={words.leastDetail(members.length)}
              value={least}
              onChange={(count) => change('min_successful_members', count ?? 1)}
              minValue={1}
              isReadOnly={isReadOnly}
              error={errorAt('min_successful_members')}
            />
          </div>
        )}
        <OutputChoice form={form} />
      </Card>
    </Section>
  )
}

function OutputChoice({ form }: { form: TeamForm }) {
  const { config, change, errorAt, isReadOnly } = form
  const { mode, schema } = config.output
  return (
    <>
      <div data-setting="config.output.mode">
        <RadioGroup
          label={words.output}
          value={mode}
          onChange={(next) => change('output.mode', next)}
          isDisabled={isReadOnly}
          error={errorAt('output.mode')}
          options={[
            { id: 'text', label: words.outputText, detail: words.outputTextDetail },
            { id: 'json_schema', label: words.outputJson, detail: words.outputJsonDetail },
          ]}
        />
      </div>
      {mode === 'json_schema' && (
        <div data-setting="config.output.schema">
          <JsonSetting
            label={words.schema}
            description={words.schemaDetail}
            value={schema}
            onChange={(value) => change('output.schema', value)}
            isReadOnly={isReadOnly}
            error={errorAt('output.schema')}
          />
        </div>
      )}
    </>
  )
}

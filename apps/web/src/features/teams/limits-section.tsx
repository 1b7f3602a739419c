import { NumberField } from '../../atoms/controls/number-field.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { teamPageWords } from '../../core/messages/en/teams.ts'
import { type ModeSetting, readsSetting } from '../../core/teams/mode-settings.ts'
import type { TeamForm } from './team-form.ts'
import styles from './teams.module.css'

const words = teamPageWords.limits
const SECOND_MS = 1_000

/** A limit that is a whole number, by its key. Its default comes back when the field is emptied. */
const COUNTS = [
  { key: 'max_iterations', label: words.iterations, detail: words.iterationsDetail, range: [1, 25] },
  { key: 'lead_max_steps', label: words.steps, detail: words.stepsDetail, range: [2, 50] },
  { key: 'max_delegations', label: words.delegations, detail: words.delegationsDetail, range: [1, 100] },
  { key: 'max_concurrent_members', label: words.concurrent, detail: words.concurrentDetail, range: [1, 10] },
] as const

/** Where a run ends at the latest; only the limits that the mode reads. */
export function LimitsSection({ form }: { form: TeamForm }) {
  const { config, change, errorAt, isReadOnly } = form
  const { limits, mode, toggles } = config
  const isShown = (path: ModeSetting) => readsSetting(mode, path) || errorAt(path) !== null
  const common = (path: string) => ({ isReadOnly, error: errorAt(`limits.${path}`) })
  return (
    <Section title={words.title} detail={words.detail}>
      <Card>
        <div className={styles.limits}>
          {COUNTS.filter(({ key }) => isShown(`limits.${key}`)).map(({ key, label, detail, range }) => (
            <div key={key} data-setting={`config.limits.${key}`}>
              <NumberField
                label={label}
                description={detail}
                value={limits[key]}
                onChange={(value) => value !== null && change(`limits.${key}`, value)}
                minValue={range[0]}
                maxValue={range[1]}
                {...common(key)}
              />
            </div>
          ))}
          <div data-setting="config.limits.max_seconds">
            <NumberField
              label={words.seconds}
              description={words.secondsDetail}
              value={limits.max_seconds}
              onChange={(value) => value !== null && change('limits.max_seconds', value)}
              minValue={5}
              maxValue={3_600}
              {...common('max_seconds')}
            />
          </div>
          <div data-setting="config.limits.member_timeout_ms">
            <NumberField
              label={words.memberTimeout}
              description={words.memberTimeoutDetail}
              value={limits.member_timeout_ms === null ? null : limits.member_timeout_ms / SECOND_MS}
              onChange={(value) =>
                change('limits.member_timeout_ms', value === null ? null : Math.round(value * SECOND_MS))
              }
              minValue={0.001}
              maxValue={3_600}
              {...common('member_timeout_ms')}
            />
          </div>
          {(toggles.members_see_team_history || errorAt('limits.history_tokens') !== null) && (
            <div data-setting="config.limits.history_tokens">
              <NumberField
                label={words.history}
                description={words.historyDetail}
                value={limits.history_tokens}
                onChange={(value) => value !== null && change('limits.history_tokens', value)}
                minValue={0}
                maxValue={32_000}
                step={1_000}
                {...common('history_tokens')}
              />
            </div>
          )}
          <BudgetFields form={form} />
        </div>
      </Card>
    </Section>
  )
}

function BudgetFields({ form }: { form: TeamForm }) {
  const { config, change, errorAt, isReadOnly } = form
  const { max_total_tokens: tokens, max_cost_usd: cost, on_exceeded: exceeded } = config.limits.budget
  const path = 'limits.budget'
  return (
    <>
      <div data-setting={`config.${path}.max_total_tokens`}>
        <NumberField
          label={words.tokens}
          description={words.tokensDetail}
          value={tokens}
          onChange={(value) => change(`${path}.max_total_tokens`, value)}
          minValue={1}
          isReadOnly={isReadOnly}
          error={errorAt(`${path}.max_total_tokens`)}
        />
      </div>
      <div data-setting={`config.${path}.max_cost_usd`}>
        <NumberField
          label={words.cost}
          description={words.costDetail}
          value={cost}
          onChange={(value) => change(`${path}.max_cost_usd`, value)}
          minValue={0}
          step={0.01}
          format={{ style: 'currency', currency: 'USD' }}
          isReadOnly={isReadOnly}
          error={errorAt(`${path}.max_cost_usd`)}
        />
      </div>
      {(tokens !== null || cost !== null) && (
        <div data-setting={`config.${path}.on_exceeded`}>
          <Select
            label={words.exceeded}
            value={exceeded}
            onChange={(next) => change(`${path}.on_exceeded`, next)}
            isDisabled={isReadOnly}
            options={[
              { id: 'finalize', label: words.finalize },
              { id: 'fail', label: words.fail },
            ]}
          />
        </div>
      )}
    </>
  )
}

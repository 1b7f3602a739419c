import { NumberField } from '../../atoms/controls/number-field.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { TagField } from '../../atoms/controls/tag-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { Toggle } from '../../atoms/controls/toggles.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { sectionPlace } from '../../atoms/layout/section-list.tsx'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { TimeZoneField } from '../../parts/time-zone-field/time-zone-field.tsx'
import { CountriesField } from './countries-field.tsx'
import styles from './phone.module.css'
import type { TrunkFormParts } from './trunk-form-parts.ts'

const words = phoneWords.fields
const FORMATS = ['e164_plus', 'e164', 'national'] as const

/** The allowed numbers, and their format for the carrier. */
export function DestinationFields({ control }: TrunkFormParts) {
  return (
    <Section id={sectionPlace('destinations')} title={words.destinations} detail={words.destinationsDetail}>
      <Card>
        <CountriesField {...control('allowedCountries')} />
        <TagField
          label={words.blockedPrefixes}
          description={words.blockedDetail}
          placeholder={words.blockedPlaceholder}
          {...control('blockedPrefixes')}
        />
        <div className={styles.pair}>
          <Select
            label={words.numberFormat}
            {...control('numberFormat')}
            options={FORMATS.map((id) => ({ id, label: words.numberFormats[id] }))}
          />
          <TextField
            label={words.defaultCountry}
            description={words.defaultCountryDetail}
            placeholder={words.countryPlaceholder}
            {...control('defaultCountry')}
            isOptional
            isMono
            maxLength={2}
          />
        </div>
      </Card>
    </Section>
  )
}

/** Limits of calls, durations and hours. */
export function CallLimitFields({ fields, change, control, fault }: TrunkFormParts) {
  const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
  const quiet = fields.quietHours
  return (
    <Section id={sectionPlace('limits')} title={words.limits} detail={words.limitsDetail}>
      <Card>
        <div className={styles.rows} data-rows="">
          <NumberField
            label={words.maxConcurrentCalls}
            {...control('maxConcurrentCalls')}
            minValue={1}
            maxValue={10_000}
          />
          <NumberField
            label={words.maxCps}
            {...control('maxCps')}
            minValue={0.01}
            maxValue={100}
            step={0.01}
          />
          <NumberField
            label={words.maxCallsPerDestinationPerHour}
            {...control('maxCallsPerDestinationPerHour')}
            minValue={1}
            maxValue={1_000}
          />
          <NumberField
            label={words.dailyCallCap}
            {...control('dailyCallCap')}
            minValue={0}
            maxValue={1_000_000}
            isOptional
            placeholder={words.noCap}
          />
          <NumberField
            label={words.ringingTimeoutS}
            {...control('ringingTimeoutS')}
            minValue={10}
            maxValue={60}
            unit={words.seconds}
          />
          <NumberField
            label={words.maxCallS}
            {...control('maxCallS')}
            minValue={60}
            maxValue={3_600}
            unit={words.seconds}
          />
        </div>
        <Toggle
          isSelected={quiet !== null}
          onChange={(isOn) =>
            change({ quietHours: isOn ? { from: '21:00', to: '08:00', timezone: zone() } : null })
          }
          description={words.quietDetail}
        >
          {words.quiet}
        </Toggle>
        {quiet && (
          <div className={styles.pair}>
            <TextField
              label={words.quietFrom}
              value={quiet.from}
              onChange={(from) => change({ quietHours: { ...quiet, from } })}
              isMono
              maxLength={5}
              error={fault('quietHours.from')}
            />
            <TextField
              label={words.quietTo}
              value={quiet.to}
              onChange={(to) => change({ quietHours: { ...quiet, to } })}
              isMono
              maxLength={5}
              error={fault('quietHours.to')}
            />
            <TimeZoneField
              label={words.quietZone}
              description={null}
              value={quiet.timezone}
              onChange={(timezone) => change({ quietHours: { ...quiet, timezone } })}
              error={fault('quietHours.timezone')}
            />
          </div>
        )}
      </Card>
    </Section>
  )
}

import type { PhoneTrunk } from '@troupe/contract/builder'
import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { Card, Facts, Section } from '../../atoms/layout/page.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { countryName } from '../../core/format/countries.ts'
import { wholeNumber } from '../../core/format/numbers.ts'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'

const words = phoneWords.fields

/** The settings of a trunk for users without permission to change them. */
export function TrunkFacts({ trunk, refusal }: { trunk: PhoneTrunk; refusal: string }) {
  const { direction, transport, authUsername, allowedCountries, dailyCallCap, quietHours } = trunk
  return (
    <Section title={phoneWords.trunks.settings}>
      <Callout>{phoneWords.trunks.onlyManagers(refusal)}</Callout>
      <Card>
        <Facts
          facts={[
            { name: words.direction, value: words.directions[direction].label },
            { name: words.address, value: <code translate="no">{trunk.address}</code> },
            { name: words.transport, value: words.transports[transport] },
            { name: words.authUsername, value: authUsername ?? '–' },
            { name: words.password, value: trunk.hasPassword ? words.passwordStored : '–' },
            {
              name: words.allowedCountries,
              value: allowedCountries.map(countryName).join(', ') || words.allowedDetail,
            },
            { name: words.maxConcurrentCalls, value: wholeNumber(trunk.maxConcurrentCalls) },
            { name: words.maxCps, value: String(trunk.maxCps) },
            {
              name: words.maxCallsPerDestinationPerHour,
              value: wholeNumber(trunk.maxCallsPerDestinationPerHour),
            },
            {
              name: words.dailyCallCap,
              value: dailyCallCap === null ? words.noCap : wholeNumber(dailyCallCap),
            },
            {
              name: words.quiet,
              value: quietHours ? `${quietHours.from}–${quietHours.to}, ${quietHours.timezone}` : '–',
            },
            { name: phoneWords.slug, value: <code translate="no">{trunk.slug}</code> },
          ]}
        />
        <CopyField label={phoneWords.id} text={trunk.trunkId} />
      </Card>
    </Section>
  )
}

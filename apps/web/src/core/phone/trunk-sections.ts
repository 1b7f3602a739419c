import type { TrunkFields } from './trunk-fields.ts'

/** The sections of the settings of a trunk, in their order on the page. */
export const TRUNK_SECTIONS = ['connection', 'destinations', 'limits', 'advanced'] as const
export type TrunkSection = (typeof TRUNK_SECTIONS)[number]

const SECTIONS: Readonly<Record<keyof TrunkFields, TrunkSection>> = {
  name: 'connection',
  status: 'connection',
  address: 'connection',
  transport: 'connection',
  authUsername: 'connection',
  direction: 'connection',
  allowedCountries: 'destinations',
  blockedPrefixes: 'destinations',
  numberFormat: 'destinations',
  defaultCountry: 'destinations',
  maxConcurrentCalls: 'limits',
  maxCps: 'limits',
  maxCallsPerDestinationPerHour: 'limits',
  dailyCallCap: 'limits',
  ringingTimeoutS: 'limits',
  maxCallS: 'limits',
  quietHours: 'limits',
  mediaEncryption: 'advanced',
  mediaTimeoutS: 'advanced',
  fromUser: 'advanced',
  provisioning: 'advanced',
  headers: 'advanced',
  slug: 'advanced',
  projectId: 'advanced',
}

/** The sections with unsaved changes. @param hasPassword a new password was typed */
export function changedTrunkSections(
  changed: Partial<TrunkFields>,
  hasPassword: boolean,
): readonly TrunkSection[] {
  const fields = Object.keys(SECTIONS) as (keyof TrunkFields)[]
  const found = new Set(
    fields.filter((field) => Object.hasOwn(changed, field)).map((field) => SECTIONS[field]),
  )
  if (hasPassword) found.add('connection')
  return TRUNK_SECTIONS.filter((section) => found.has(section))
}

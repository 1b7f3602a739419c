import type { Organization } from '@troupe/builder-contract'
import type { OrganizationRecord } from '@troupe/database'

/** An organization as the builder shows it. `inFlight`: its workflow runs that have not ended. */
export function presentOrganization(record: OrganizationRecord, inFlight: number): Organization {
  const { id: organizationId, slug, name, rpm, concurrentRuns, traceDays, runDays, version } = record
  const limits = { rpm, concurrentRuns, traceDays, runDays }
  return { organizationId, slug, name, limits, version, inFlight }
}

import type { Organization } from '@troupe/contract/builder'
import type { OrganizationRecord } from '@troupe/storage'

/** An organization as the builder shows it. `inFlight`: its workflow runs that have not ended. */
export function presentOrganization(record: OrganizationRecord, inFlight: number): Organization {
  const { id: organizationId, slug, name, rpm, concurrentRuns, traceDays, runDays, version } = record
  const limits = { rpm, concurrentRuns, traceDays, runDays }
  return { organizationId, slug, name, limits, version, inFlight }
}

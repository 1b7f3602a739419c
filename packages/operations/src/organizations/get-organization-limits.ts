import type { OPERATIONS, ResultOf } from '@troupe/contract'
import type { Principal } from '../access/principal.ts'

/** Uploads for runs are not implemented yet; the sizes are the planned limits. */
const FILE_UPLOADS = {
  enabled: false,
  max_file_size_mb: 16,
  max_total_size_mb: 64,
  max_files_per_request: 10,
  note: 'File uploads for runs are currently disabled.',
}

/** The limits that a key's requests are counted against. */
export function getOrganizationLimits(
  principal: Principal,
): ResultOf<(typeof OPERATIONS)['getOrganizationLimits']> {
  return {
    rate_limits: { org_rpm: principal.organizationRpm, key_rpm: principal.keyRpm },
    file_uploads: FILE_UPLOADS,
  }
}

import type { UploadQuota } from '@troupe/storage'

const MB = 1024 * 1024
const WORKFLOW_BYTES = 500 * MB
const ORGANIZATION_BYTES = 2_000 * MB
/** The share of one visitor's network is a fifth, so that a few addresses cannot block the form for everybody else. */
const SHARE = 0.2

/**
 * Maximum bytes of unsubmitted uploads. Uploading needs no account and unsubmitted files are kept for
 * two hours, so without a limit a few addresses could fill the store.
 *
 * @param maxBytes the largest file; every visitor has room for one
 */
export function uploadQuota(maxBytes: number): UploadQuota {
  return {
    workflowBytes: WORKFLOW_BYTES,
    organizationBytes: ORGANIZATION_BYTES,
    visitor: {
      workflowBytes: Math.max(SHARE * WORKFLOW_BYTES, maxBytes),
      organizationBytes: Math.max(SHARE * ORGANIZATION_BYTES, maxBytes),
    },
  }
}

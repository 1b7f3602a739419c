const MB = 1024 * 1024

/**
 * Most bytes of uploads that await submission. Uploading needs no account and unsubmitted files are kept for
 * two hours, so without a limit a few addresses could fill the store.
 */
export const UPLOAD_QUOTA = { workflowBytes: 500 * MB, organizationBytes: 2_000 * MB } as const

const MB = 1024 * 1024

/**
 * Bytes of uploads that may wait for their submissions. Uploading needs no account, and what nobody submits stays for two
 * hours: without a limit a few addresses could fill the store.
 */
export const UPLOAD_QUOTA = { workflowBytes: 500 * MB, organizationBytes: 2_000 * MB } as const

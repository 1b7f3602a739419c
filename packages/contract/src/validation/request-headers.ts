/** Headers of a request by their lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

import type { BodyTarget } from '../hostile-documents/bodies.ts'
import type { PlaceOfBody } from '../hostile-documents/hostile-documents.ts'
import type { Caller } from './tenants.ts'

/** An operation, with a permitted request. */
export interface Target {
  name: string
  method: string
  url: string
  /** Names of its parameters in the query. */
  query: readonly string[]
  /** null: it takes no body. */
  body: (Pick<BodyTarget, 'base' | 'contentType'> & { places: readonly PlaceOfBody[] }) | null
  /** The permitted callers; null: anybody, with the headers that the body needs. */
  callers: readonly Caller[] | null
  headersOf: BodyTarget['headersOf']
  /** For an operation that takes a file in parts. */
  upload?: Upload
  /** Its response is a stream that continues until the caller leaves. */
  isEndless: boolean
}

/** A file of an upload, and the text that may be before it. */
export interface Upload {
  /** The name of a text part; null: the file is the only part. */
  textName: string | null
  file: { name: string; bytes: Buffer }
}

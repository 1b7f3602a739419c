import type { ErrorCode } from '@troupe/contract'
import type { TestServer } from '../server/start-test-server.ts'

/** One request below the organization's path. */
export interface BuilderRequest {
  /** The rest of the path after `/organizations/{organizationId}`: ``, `/agents/<id>`. */
  path: string
  body?: object
}

/** The requests for one operation of the builder by callers without access. */
export interface BuilderRow {
  /** A request that an owner and the operator may send; it need not succeed, but must get past admission. */
  own: (server: TestServer) => BuilderRequest | Promise<BuilderRequest>
  /** The same request for a resource of another organization: must look exactly like an unknown id. */
  foreign?: { error: ErrorCode; request: (server: TestServer) => BuilderRequest | Promise<BuilderRequest> }
}

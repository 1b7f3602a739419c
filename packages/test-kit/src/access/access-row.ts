import type { ErrorCode } from '@troupe/contract'
import type { TestServer } from '../server/start-test-server.ts'

/** A request that succeeds when sent with a permitted key. */
export interface AccessRequest {
  /** Path below the API, parameters filled in. */
  path: string
  body?: object
}

/** The expected treatment of callers without access to a resource. */
export interface AccessRow {
  /** A request that the organization's key is allowed to make. */
  own(server: TestServer): AccessRequest | Promise<AccessRequest>
  /** The same for a resource of another organization, and its error; null for operations without a resource. */
  otherOrganization: {
    request(server: TestServer): AccessRequest | Promise<AccessRequest>
    error: ErrorCode
  } | null
  /** The same for a resource of another project, requested with a project key. */
  otherProject: {
    request(server: TestServer): AccessRequest | Promise<AccessRequest>
    error: ErrorCode
  } | null
}

/** The location of a resource in the access suite. */
export type Place = 'organization' | 'otherProject' | 'otherOrganization'

/** The owner of the resources in a place. */
export function ownerAt({ seed }: TestServer, place: Place) {
  return {
    organizationId: place === 'otherOrganization' ? seed.otherOrganizationId : seed.organizationId,
    projectId: place === 'otherProject' ? seed.otherProjectId : null,
  }
}

/** A key that may create and use resources in a place. */
export function keyAt({ seed }: TestServer, place: Place): string {
  return place === 'otherOrganization' ? seed.keys.otherOrganization : seed.keys.organization
}

/** The row of an operation on a resource that `request` creates in each place. */
export function placedRow(
  request: (server: TestServer, place: Place) => AccessRequest | Promise<AccessRequest>,
  notFound: ErrorCode,
  ofOtherProject: ErrorCode = 'forbidden',
): AccessRow {
  const at = (place: Place) => (server: TestServer) => request(server, place)
  return {
    own: at('organization'),
    otherOrganization: { request: at('otherOrganization'), error: notFound },
    otherProject: { request: at('otherProject'), error: ofOtherProject },
  }
}

/** The row of an operation without a resource. */
export function listRow(path: string, body?: object): AccessRow {
  return { own: () => ({ path, ...(body ? { body } : {}) }), otherOrganization: null, otherProject: null }
}

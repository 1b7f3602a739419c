import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { AgentVersionId } from '../../schema/ids.ts'
import { pageQuery } from '../../schema/page.ts'
import {
  DescribeConfigVersionBody,
  RestoreBody,
  Version,
  VersionDetails,
  VersionPage,
} from '../versions/version.ts'
import { AGENT_PATH, AgentDetails, agentParams } from './agent.ts'

const VERSIONS_PATH = `${AGENT_PATH}/versions` as const
const VERSION_PATH = `${VERSIONS_PATH}/{versionId}` as const
const versionParams = { ...agentParams, versionId: Uuid<AgentVersionId>() }

export const listAgentVersionsForBuilder = defineOperation({
  id: 'listAgentVersions',
  method: 'GET',
  path: VERSIONS_PATH,
  tag: 'Agents',
  summary: 'List the versions of an agent, newest first',
  access: 'builder',
  needs: 'read',
  params: Type.Object(agentParams),
  query: Type.Object(pageQuery),
  success: { status: 200, description: 'One page of versions.', body: VersionPage },
  errors: ['validation_error', 'agent_not_found'],
})

export const getAgentVersionForBuilder = defineOperation({
  id: 'getAgentVersion',
  method: 'GET',
  path: VERSION_PATH,
  tag: 'Agents',
  summary: 'Get a version with its configuration',
  access: 'builder',
  needs: 'read',
  params: Type.Object(versionParams),
  success: { status: 200, description: 'The version.', body: VersionDetails },
  errors: ['version_not_found'],
})

export const describeAgentVersionForBuilder = defineOperation({
  id: 'describeAgentVersion',
  method: 'PUT',
  path: VERSION_PATH,
  tag: 'Agents',
  summary: 'Label a version',
  access: 'builder',
  needs: 'build',
  params: Type.Object(versionParams),
  body: DescribeConfigVersionBody,
  success: { status: 200, description: 'The version.', body: Version },
  errors: ['validation_error', 'version_not_found'],
})

export const restoreAgentVersionForBuilder = defineOperation({
  id: 'restoreAgentVersion',
  method: 'POST',
  path: `${VERSION_PATH}/restore`,
  tag: 'Agents',
  summary: 'Restore a version as a new one',
  access: 'builder',
  needs: 'build',
  params: Type.Object(versionParams),
  body: RestoreBody,
  bodyOptional: true,
  success: { status: 200, description: 'The agent as of its new version.', body: AgentDetails },
  errors: [
    'validation_error',
    'agent_not_found',
    'version_not_found',
    'version_conflict',
    'llm_configuration_not_found',
    'credential_not_found',
    'model_price_missing',
  ],
})

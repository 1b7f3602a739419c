import { Type } from 'typebox'
import { ORGANIZATION_PATH, organizationParams } from './paths.ts'

/** Path prefix of the operations on one workflow. */
export const WORKFLOW_PATH = `${ORGANIZATION_PATH}/workflows/{workflowId}` as const

const workflowParams = { ...organizationParams, workflowId: Type.String() }

/** The parameters of the path of one workflow. */
export const WorkflowPathParams = Type.Object(workflowParams)

/** The parameters of the path of one version of a workflow. */
export const WorkflowVersionParams = Type.Object({ ...workflowParams, versionId: Type.String() })

/** The parameters of the path of one webhook delivery. */
export const DeliveryParams = Type.Object({ ...workflowParams, deliveryId: Type.String() })

/** The parameters of the path of the pin of one step. */
export const PinParams = Type.Object({ ...workflowParams, nodeId: Type.String() })

/** The parameters of the path of one listener of a workflow. */
export const ListenerParams = Type.Object({ ...workflowParams, listenerId: Type.String() })

/** The parameters of the path of one call of a listener. */
export const ListenerCallParams = Type.Object({
  ...workflowParams,
  listenerId: Type.String(),
  callId: Type.String(),
})

/** The parameters of the path of one test case of a workflow. */
export const TestCaseParams = Type.Object({ ...workflowParams, testCaseId: Type.String() })

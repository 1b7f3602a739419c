import { useOperation } from '../../infrastructure/queries/use-operation.ts'

/** No event reports when the media server has provisioned a trunk. */
const WATCH_MS = 3_000

/** The trunks of the organization, polled while one of them is being provisioned. */
export function useTrunks() {
  const trunks = useOperation('listPhoneTrunks', {})
  const isWaiting = trunks.data?.data.some(({ status }) => status === 'provisioning') ?? false
  useOperation('listPhoneTrunks', {}, { isEnabled: isWaiting, everyMs: WATCH_MS })
  return trunks
}

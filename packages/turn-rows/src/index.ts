export { claimStatement, firstClaimStatement, takeOverStatement } from './claim.ts'
export { giveBack } from './leases.ts'
export { turnStore } from './turn-store.ts'
export type { TurnTable } from './turn-table.ts'

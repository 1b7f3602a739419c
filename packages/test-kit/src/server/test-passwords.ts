import { createHeavyWork } from '@troupe/heavy-work'
import { createPasswords } from '@troupe/secrets'

/**
 * Hashes at bcrypt's lowest cost, in a millisecond. A hash carries its cost, so every server can verify it.
 */
export const TEST_PASSWORDS = createPasswords(createHeavyWork(), { cost: 4 })

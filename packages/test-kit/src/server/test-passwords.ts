import { createPasswords } from '@troupe/secrets'

/** Hashes at the lowest cost of bcrypt, in a millisecond. A hash carries its cost, so every server can check it. */
export const TEST_PASSWORDS = createPasswords({ cost: 4 })

export {
  hashApiKeySecret,
  mayBeApiKeySecret,
  mintApiKeySecret,
} from './api-key-secret.ts'
export { type EncryptionKey, parseEncryptionKeys } from './encryption-keys.ts'
export { formPasswordFault } from './form-password-fault.ts'
export { createPasswords, type Passwords } from './passwords.ts'
export { LONGEST_PASSWORD, mayBePassword, SHORTEST_PASSWORD } from './person-password.ts'
export { randomToken } from './random-token.ts'
export { SecretBox, type SecretPlace } from './secret-box.ts'

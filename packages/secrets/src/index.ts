export {
  hashApiKeySecret,
  mayBeApiKeySecret,
  mintApiKeySecret,
} from './api-key-secret.ts'
export { type EncryptionKey, parseEncryptionKeys } from './encryption-keys.ts'
export { formPasswordFault, hashFormPassword, isFormPassword } from './form-passwords.ts'
export {
  hashPassword,
  LONGEST_PASSWORD,
  mayBePassword,
  SHORTEST_PASSWORD,
  verifyPassword,
} from './passwords.ts'
export { randomToken } from './random-token.ts'
export { SecretBox, type SecretPlace } from './secret-box.ts'

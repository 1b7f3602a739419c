export { createGuardrails, type GuardrailParts } from './create-guardrails.ts'

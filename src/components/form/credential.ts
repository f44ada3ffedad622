// The test stands in the core, because adapters need it too, and loads with the forms.
import { type CredentialTest, secretFields } from '../../core/secrets/secret-fields.js'

export { isCredentialQuestion } from '../../core/secrets/asks-for-secret.js'
export { isSecretName, isSecretText as isSecretQuestion } from '../../core/secrets/is-secret.js'
export type { CredentialField, CredentialTest } from '../../core/secrets/secret-fields.js'

/** Whether a schema asks, at any depth, for a secret: those are never entered in a form (DESIGN 5.7). */
export const isCredentialSchema = (schema: unknown, test?: CredentialTest): boolean => secretFields(schema, test).asks

import { isSecretName } from '../../core/secrets/is-secret.js'
import { isSecretKey } from '../../core/secrets/secret-stems.js'

export { asksForSecret } from '../../core/secrets/asks-for-secret.js'

/** Whether the value under a name stays here: what forms refuse, and what the history leaves out (DESIGN 5.7). */
export const speaksOfSecret = (name: string): boolean => isSecretKey(name) || isSecretName(name)

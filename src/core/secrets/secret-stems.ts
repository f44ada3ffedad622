// Wider than what forms refuse (DESIGN 5.7): what was shown need not be kept, and a log lies about.
const KEPT_OUT =
  /pass|pwd|woo?r[dt]$|secret|geheim|contrase|senha|clave|has.o|парол|密|パスワ|كلم|token|credential|authorization|cookie|(pin|api|mfa|access|private|signing|encryption|security|verification).?(key|code)|^pin|cv[cv]|otp|card.?n|iban|ssn/i

/** Whether a value under this name is left out of what is kept. */
export const isSecretKey = (name: string): boolean => KEPT_OUT.test(name)

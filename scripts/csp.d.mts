export function policyFor(url: string): string

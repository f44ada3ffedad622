/** Whether a number is a multiple of another, as decimals: 0.3 is one of 0.1. */
export function isMultipleOf(value: number, divisor: number): boolean {
  const [digits, power] = decimal(value)
  const [unit, unitPower] = decimal(divisor)
  const least = Math.min(power, unitPower)
  return (digits * 10n ** BigInt(power - least)) % (unit * 10n ** BigInt(unitPower - least)) === 0n
}

/** A number as a whole one times a power of ten. */
function decimal(value: number): [digits: bigint, power: number] {
  const [digits = '', power = '0'] = String(value).split('e')
  const [, fraction = ''] = digits.split('.')
  return [BigInt(digits.replace('.', '')), Number(power) - fraction.length]
}

// For tests of what has a clock of its own: a silence that is too long, a limit, a grace. Where the machine is slower
// than that clock, the test would see the machine and not the code.

const UNITS_MS = [250, 1_000, 4_000, 16_000]

/**
 * Tries with a unit of time that grows until the machine keeps up. Wrong code fails with every one, and the last
 * failure is told. The body makes all that it needs anew, and gives its times as multiples of the unit.
 */
export async function atSomePace(
  body: (unitMs: number) => Promise<void>,
  unitsMs: readonly number[] = UNITS_MS,
): Promise<void> {
  for (const [index, unitMs] of unitsMs.entries()) {
    try {
      return await body(unitMs)
    } catch (error) {
      if (index === unitsMs.length - 1) throw error
    }
  }
}

// PROPERTY_RUNS is how many schedules each property tries; PROPERTY_SEED and PROPERTY_PATH are what a failure prints.
const { PROPERTY_RUNS, PROPERTY_SEED, PROPERTY_PATH, PROPERTY_REPLAY } = process.env

export const runs = Number(PROPERTY_RUNS ?? 10_000)
export const seed = Number(PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31))
export const replayPath = PROPERTY_REPLAY

/** What fast-check is told; `part` of the runs. */
export const parameters = (part = 1) => ({
  numRuns: Math.max(1, Math.round(runs * part)),
  seed,
  ...(PROPERTY_PATH !== undefined && { path: PROPERTY_PATH }),
})

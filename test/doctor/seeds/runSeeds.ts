import type { Profile, SeededHead, Seeds } from './seed'
import { findingsOf, PROFILES, told, withHead } from './seed'
import { stopBeside } from './nodes'

/** What every one of these heads has: no metrics, and no configuration before 2.3. */
export const serious = (codes: readonly string[]): string[] => codes.filter((each) => !each.startsWith('unknown '))

/** Seeds of a profile. */
export const seedsOf = (seeds: Seeds, profile: Profile): [string, Seeds[string]][] =>
  Object.entries(seeds).filter(([, { profiles = PROFILES }]) => profiles.includes(profile))

/** Runs a head with its cause; what a seed has started beside it ends with it. */
export function withSeed<T>(
  profile: Profile,
  seed: Seeds[string],
  use: (head: SeededHead) => Promise<T>
): Promise<T> {
  return withHead(profile, seed, async (head) => {
    try {
      await seed.cause?.(head)
      return await use(head)
    } finally {
      await stopBeside(head)
    }
  })
}

/** Defines the tests of heads: each is found alone, and its remedy cures it. */
export function describeSeeds(seeds: Seeds): void {
  describe.each(PROFILES)('profile %s', (profile) => {
    it.each(seedsOf(seeds, profile))('finds alone, and cures: %s', async (_, seed) => {
      await withSeed(profile, seed, async (head) => {
        const findings = await findingsOf(head, seed)
        const found = told(findings)
        expect([...serious(found), ...found.filter((each) => seed.codes.includes(each))].sort()).toEqual(
          [...serious(seed.codes), ...seed.codes].sort()
        )
        if (seed.refs !== undefined)
          expect(findings.flatMap(({ severity, refs }) => (severity === 'ok' ? [] : refs))).toEqual(
            expect.arrayContaining([...seed.refs(head)])
          )
        expect(seed.cure === undefined).toBe(seed.noCure !== undefined)
        if (seed.cure === undefined) return
        await seed.cure(head)
        const after = told(await findingsOf(head, seed))
        expect(after.filter((each) => seed.codes.includes(each))).toEqual([])
      })
    })
  })
}

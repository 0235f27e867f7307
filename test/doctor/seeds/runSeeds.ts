import { fullRun } from '../../support/scale'
import type { Profile, Seed, SeededHead, Seeds } from './seed'
import { findingsOf, PROFILES, told, withHead } from './seed'
import { stopBeside } from './nodes'

/** What every one of these heads has: no metrics, and no configuration before 2.3. */
export const serious = (codes: readonly string[]): string[] => codes.filter((each) => !each.startsWith('unknown '))

/** Seeds of a profile. */
export const seedsOf = (seeds: Seeds, profile: Profile): [string, Seeds[string]][] =>
  Object.entries(seeds).filter(([, { profiles = PROFILES }]) => profiles.includes(profile))

/** Runs a head with its cause; what a seed has started beside it ends with it. */
export function withSeed<T>(profile: Profile, seed: Seeds[string], use: (head: SeededHead) => Promise<T>): Promise<T> {
  return withHead(profile, seed, async (head) => {
    try {
      await seed.cause?.(head)
      return await use(head)
    } finally {
      await stopBeside(head)
    }
  })
}

/** A head with several causes at once; what one of them cannot cure stays. */
export function combined(...seeds: readonly Seed[]): Seed {
  const all = <K extends keyof Seed>(name: K): NonNullable<Seed[K]>[] =>
    seeds.flatMap((seed) => (seed[name] === undefined ? [] : [seed[name]])) as never
  const lasting = seeds.filter(({ cure }) => cure === undefined)
  const says = all('says')
  const [behindMs] = all('behindMs')
  const [before] = all('before')
  return {
    node: {
      ...Object.assign({}, ...all('node')),
      inHead: all('node').flatMap(({ inHead = [] }) => inHead as object[]) as never,
      timings: Object.assign({}, ...all('node').map(({ timings }) => timings))
    },
    ...(behindMs !== undefined && { behindMs }),
    ...(before !== undefined && { before }),
    says: (text) => says.reduce((changed, change) => change(changed), text),
    check: async (head) => Object.assign({}, ...(await Promise.all(all('check').map((check) => check(head))))),
    cause: async (head) => {
      for (const cause of all('cause')) await cause(head)
    },
    codes: seeds.filter(({ cure }) => cure !== undefined).flatMap(({ codes }) => codes),
    also: lasting.flatMap(({ codes }) => codes),
    cure: async (head) => {
      for (const cure of all('cure')) await cure(head)
    }
  }
}

/** Defines the tests of heads: each is found alone, and its remedy cures it. */
export function describeSeeds(seeds: Seeds): void {
  describe.each(PROFILES)('profile %s', (profile) => {
    const run = seedsOf(seeds, profile).filter(([, { large }]) => large !== true || fullRun || profile === '2.4')
    it.each(run)('finds alone, and cures: %s', async (_, seed) => {
      await withSeed(profile, seed, async (head) => {
        const findings = await findingsOf(head, seed)
        const found = told(findings)
        const { codes, also = [] } = seed
        const isSeen = (each: string): boolean => serious([each]).length > 0 || codes.includes(each)
        expect(found.filter(isSeen).sort()).toEqual([...codes, ...also].sort())
        if (seed.refs !== undefined)
          expect(findings.flatMap(({ severity, refs }) => (severity === 'ok' ? [] : refs))).toEqual(
            expect.arrayContaining([...seed.refs(head)])
          )
        if (seed.cure === undefined) return
        await seed.cure(head)
        const after = told(await findingsOf(head, seed))
        expect(after.filter((each) => seed.codes.includes(each))).toEqual([])
      })
    })
  })
}

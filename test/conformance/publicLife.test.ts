import { parseJson, stringifyJson } from '../../src/codec/json'
import type { LifeTrace } from '../../src/conformance/inner'
import { publicLife } from '../../src/conformance/inner'
import { compareLives } from '../../src/conformance/compareLives'
import { liveLife } from '../../src/conformance/liveLife'
import { WebsocketConnector } from '../../src/bridge'
import { verifySnapshot } from '../../src/verify'
import { randomSource } from '../support/random'
import { startHead, walletOf } from './support'

const SECRETS = 10_000
const SIGNING_KEY = `5820${'4f'.repeat(32)}`
let life: LifeTrace
beforeAll(async () => {
  const node = await startHead()
  life = await liveLife({
    connector: new WebsocketConnector({ websocketUrl: node.url }),
    second: null,
    wallet: walletOf(node),
    stepLimitMs: 30_000,
    without: new Map([['contest', 'there is no second node']])
  })
  await node.stop()
}, 60_000)

const fileOf = (trace: LifeTrace): string =>
  stringifyJson(publicLife(trace, compareLives(life, trace), new Date(1_780_000_000_000)))

type Json = Record<string, any>

it('keeps what the comparison needs: tags, numbers, outputs, transactions and true signatures', async () => {
  const file = parseJson(fileOf(life)) as Json
  const frames = (file.frames as Json[]).map(({ frame }) => frame as Json)
  expect(frames.map(({ tag }) => tag as string)).toEqual(life.messages.map(({ tag }) => tag))
  const parties = frames.find(({ tag }) => tag === 'HeadIsOpen')!.parties as { vkey: string }[]
  const snapshots = frames.filter(({ tag }) => tag === 'SnapshotConfirmed')
  expect(snapshots.length).toBeGreaterThan(5)
  for (const { snapshot, signatures } of snapshots)
    expect(await verifySnapshot({ snapshot, signatures, parties })).toMatchObject({ ok: true, rule: '2.4' })
  expect(fileOf(life)).not.toMatch(/:\/\/|127\.0\.0\.1|localhost|\.sk|\.vk|node\.socket|peersInfo/)
})

/** A secret that no file may hold. */
function secretOf(random: ReturnType<typeof randomSource>, i: number): string {
  const hex = Buffer.from(random.bytes(32)).toString('hex')
  return random.pick([
    `5820${hex}`,
    `ed25519e_sk1${hex.replace(/[b1io]/g, 'q')}`,
    `eyJhbGciOiJIUzI1NiJ9.${hex}.${hex.slice(0, 20)}`,
    `preprod${hex.slice(0, 32)}`,
    `https://user:${hex}@node-${i}.example.com:4001/head?token=${hex}`,
    `ws://10.${i % 256}.${random.below(256)}.7:4001`,
    `/home/operator-${hex.slice(0, 8)}/keys/alice.sk`,
    `host-${hex.slice(0, 10)}.internal`,
    `[fe80::${hex.slice(0, 4)}:${hex.slice(4, 8)}]:5001`,
    `abandon ability able about above absent absorb ${hex.slice(0, 8)}`,
    hex.toUpperCase(),
    `${hex}${hex}00`
  ])
}

/** Every object and list in a value. */
function containers(value: unknown, found: object[] = []): object[] {
  if (typeof value !== 'object' || value === null) return found
  found.push(value)
  for (const inner of Object.values(value)) containers(inner, found)
  return found
}

/** Plants a secret in place of a text, as a new member, as a name, or as an item. */
function plant(root: object, secret: string, random: ReturnType<typeof randomSource>): void {
  const at = random.pick(containers(root)) as Json
  const names = Object.keys(at)
  switch (random.below(4)) {
    case 0:
      if (names.length > 0 && !(at === root && names.includes('tag') && names.length === 1)) {
        const name = random.pick(names)
        if (name !== 'tag' || at !== root) return void (at[name] = secret)
      }
      return void (at['extra'] = secret)
    case 1:
      return void (at[random.pick(['signingKey', 'reason', 'description', 'host', 'token', 'utxo', 'peer', 'note'])] =
        secret)
    case 2:
      return void (at[secret] = random.pick([1, 'x', { lovelace: 5 }, null]))
    default:
      if (Array.isArray(at)) return void at.push(secret)
      return void (at['reason'] = [{ deep: secret }, secret])
  }
}

it(`of ${SECRETS} secrets that are planted in messages, answers and their names, none is in a file`, () => {
  const random = randomSource('planted secrets')
  const secrets: string[] = []
  const bare = fileOf(life)
  for (let round = 0; secrets.length < SECRETS; round++) {
    const messages = parseJson(stringifyJson(life.messages)) as { message: object }[]
    const answers = parseJson(stringifyJson(life.answers)) as { body: unknown }[]
    const roots = [...messages.map(({ message }) => message), ...answers.map(({ body }) => body)].filter(
      (root): root is object => typeof root === 'object' && root !== null
    )
    const planted = Array.from({ length: 500 }, (_, i) => secretOf(random, round * 500 + i))
    for (const secret of planted) plant(random.pick(roots), secret, random)
    const tags = messages.map((each) => ({ ...each, tag: (each.message as { tag: string }).tag }))
    const trace = { ...life, messages: tags as never, answers: answers as never, signed: [] }
    const file = fileOf(trace)
    const kept = planted.filter((secret) => file.includes(secret) || file.includes(JSON.stringify(secret).slice(1, -1)))
    expect(kept).toEqual([])
    // It is still a file of frames, not an empty one.
    expect(file.length).toBeGreaterThan(bare.length / 4)
    secrets.push(...planted)
  }
  expect(new Set(secrets).size).toBeGreaterThan(SECRETS * 0.9)
}, 120_000)

it('a node of 2.0 shows its signing key to every client; no file holds it', () => {
  const env = { party: { vkey: 'ab'.repeat(32) }, otherParties: [], signingKey: SIGNING_KEY }
  const greetings = { step: 'connect' as const, tag: 'Greetings', message: { tag: 'Greetings', env } }
  const file = fileOf({ ...life, nodeVersion: `2.0.0-${SIGNING_KEY}`, messages: [greetings] })
  expect(file).not.toContain('4f4f4f')
  expect(file).toContain('abababab')
})

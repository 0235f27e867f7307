import { mkBytes, mkConstr, mkInt, mkList } from '../../src/utils'
import { partiesFromDatum, partiesFromHead, partiesFromHeadIsOpen } from '../../src/verify'
import type { PlutusData } from '../../src/utils'
import { addressOf, PARTIES } from '../support/signedSnapshot'
import { nodeSamples } from '../support/nodeMessages'

const HEAD_ID = '5e'.repeat(28)
const [V1, V2] = ['4879647261486561645631', '4879647261486561645632']
const refusal = expect.objectContaining({ code: 'VERIFICATION', reason: 'parties' }) as Error
const keys = mkList(PARTIES.map((key) => mkBytes(key)))
const id = mkBytes(HEAD_ID)
const seed = mkConstr(0, [mkBytes('00'.repeat(32)), mkInt(0)])
const rest = [mkInt(600_000), mkInt(0)]

const outputOf = (datum: PlutusData, token: string, quantity: unknown = 1): any => ({
  address: addressOf(`70${'a1'.repeat(28)}`),
  value: { lovelace: 5_000_000, [HEAD_ID]: { [token]: quantity, ['77'.repeat(28)]: 1 } },
  inlineDatumRaw: datum.toCbor()
})
const opened = mkConstr(0, [mkConstr(0, [seed, id, keys, ...rest])])

describe('the parties of a head, from its output on the base ledger', () => {
  it.each<[string, PlutusData, string]>([
    ['an open head of nodes to 1.3', mkConstr(1, [mkConstr(0, [id, keys, ...rest])]), V1!],
    ['a closed head of nodes to 1.3', mkConstr(2, [mkConstr(0, [id, keys, ...rest])]), V1!],
    ['an open head of nodes from 2.0', opened, V2!],
    ['a closed head of nodes from 2.0', mkConstr(1, [mkConstr(0, [id, keys, ...rest])]), V2!],
    ['a head that is fanning out', mkConstr(3, [mkConstr(0, [id, keys, ...rest])]), V2!]
  ])('are read of %s', (_what, datum, token) => {
    expect(partiesFromDatum({ output: outputOf(datum, token), headId: HEAD_ID })).toEqual(PARTIES)
    const { address, inlineDatumRaw } = outputOf(datum, token)
    const amount = [
      { unit: 'lovelace', quantity: '1' },
      { unit: HEAD_ID + token, quantity: '1' }
    ]
    expect(partiesFromDatum({ output: { address, amount, inlineDatum: inlineDatumRaw }, headId: HEAD_ID })).toEqual(
      PARTIES
    )
  })

  it.each<[string, any, string?]>([
    ['the token is missing', outputOf(opened, '00')],
    ['there are two tokens', outputOf(opened, V2!, 2)],
    ['the token is of the other version', outputOf(opened, V1!)],
    ['the head is another', outputOf(opened, V2!), 'ab'.repeat(28)],
    ['the head id is malformed', outputOf(opened, V2!), 'ab'],
    ['the datum names another head', outputOf(mkConstr(0, [mkConstr(0, [seed, mkBytes('ab'.repeat(28)), keys])]), V2!)],
    ['the head is finished', outputOf(mkConstr(2, []), V2!)],
    ['a field is missing', outputOf(mkConstr(0, [mkConstr(0, [seed, id])]), V2!)],
    ['the state has another constructor', outputOf(mkConstr(0, [mkConstr(1, [seed, id, keys])]), V2!)],
    ['the parties are no list', outputOf(mkConstr(0, [mkConstr(0, [seed, id, id])]), V2!)],
    ['there are no parties', outputOf(mkConstr(0, [mkConstr(0, [seed, id, mkList([])])]), V2!)],
    [
      'a party occurs twice',
      outputOf(mkConstr(0, [mkConstr(0, [seed, id, mkList([mkBytes(PARTIES[0]!), mkBytes(PARTIES[0]!)])])]), V2!)
    ],
    ['a key has another length', outputOf(mkConstr(0, [mkConstr(0, [seed, id, mkList([mkBytes('00')])])]), V2!)],
    ['there is no datum', { ...outputOf(opened, V2!), inlineDatumRaw: null }],
    ['the datum is a number', outputOf(mkInt(1), V2!)]
  ])('are refused where %s', (_what, output, headId = HEAD_ID) => {
    expect(() => partiesFromDatum({ output, headId })).toThrow(refusal)
  })
})

describe('the parties of a head, by the word of its server', () => {
  const parties = PARTIES.map((vkey) => ({ vkey }))

  it('are read of GET /head and of HeadIsOpen', () => {
    expect(
      partiesFromHead({ tag: 'Open', contents: { headId: HEAD_ID, parameters: { contestationPeriod: 60, parties } } })
    ).toEqual(PARTIES)
    expect(partiesFromHeadIsOpen({ tag: 'HeadIsOpen', headId: HEAD_ID, parties })).toEqual(PARTIES)
  })

  it.each<unknown>([
    { tag: 'Idle', contents: {} },
    { contents: { parameters: { parties: [] } } },
    { tag: 'HeadIsOpen', utxo: {} },
    { parties: [{ vkey: 'x' }] },
    null
  ])('are refused where there are none: %j', (body) => {
    expect(() => partiesFromHead(body)).toThrow(refusal)
    expect(() => partiesFromHeadIsOpen(body)).toThrow(refusal)
  })
})

describe('the messages of the node', () => {
  it('name parties where we look for them', () => {
    const opened = nodeSamples(/^(2\.3\.0|master)\/ServerOutput\/HeadIsOpen/)
    expect(opened.length).toBeGreaterThan(1)
    for (const { value } of opened)
      expect(partiesFromHeadIsOpen(value)).toEqual(value.parties.map(({ vkey }: { vkey: string }) => vkey))
    const known = nodeSamples(/^2\.3\.0\/.*HeadState/).filter(
      ({ value }) => value.contents?.parameters?.parties?.length > 0
    )
    expect(known.length).toBeGreaterThan(1)
    for (const { value } of known)
      expect(partiesFromHead(value)).toEqual(
        value.contents.parameters.parties.map(({ vkey }: { vkey: string }) => vkey)
      )
  })
})

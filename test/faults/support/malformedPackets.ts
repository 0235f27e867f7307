import type { Moment } from './PacketGateway'
import { NAMESPACE } from './PacketGateway'

/**
 * `ends`: the connection ends with a typed error and a new one is made. `reported`: skipped, with onProtocolError.
 * `ignored`: nothing happens.
 */
export type Effect = 'ends' | 'reported' | 'ignored'

/**
 * A packet that no gateway should send now, and what it may do. Before the open packet each of them ends the attempt.
 */
export interface MalformedPacket {
  readonly frame: string | Buffer
  readonly effect: Readonly<Record<Exclude<Moment, 'before open' | 'probe'>, Effect>>
}

const packets = (connect: Effect, session: Effect, frames: (string | Buffer)[]): MalformedPacket[] =>
  frames.map((frame) => ({ frame, effect: { 'before CONNECT': connect, 'in session': session } }))

const NS = `${NAMESPACE},`
const open = (fields: object): string =>
  `0${JSON.stringify({ sid: 'other', upgrades: [], pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 1_000, ...fields })}`
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

/** Handshakes that cannot be used; each is a second one, too, once the session is open. */
export const BAD_OPENS: string[] = [
  '0',
  '0null',
  '0{',
  '0[]',
  '0"text"',
  '05',
  '0true',
  '0{}',
  '0{"sid":"a"}',
  '0{"sid":"a","upgrades":null}',
  '0{"sid":"a","upgrades":[]}',
  open({ sid: null }),
  open({ sid: 5 }),
  open({ sid: '' }),
  open({ sid: {} }),
  open({ sid: 'x'.repeat(2_000) }),
  open({ sid: 'a b' }),
  open({ sid: 'a\r\nb' }),
  open({}).replace('other', '\\ud800'),
  open({}).replace('"other"', '"other"}'),
  open({ upgrades: null }),
  open({ upgrades: {} }),
  open({ upgrades: 'websocket' }),
  open({ upgrades: undefined }),
  open({ pingInterval: null }),
  open({ pingInterval: -1 }),
  open({ pingInterval: 0 }),
  open({ pingInterval: '25000' }),
  open({ pingInterval: 2 ** 31 }),
  open({}).replace('25000', '1e999'),
  open({}).replace('25000', `1${'0'.repeat(400)}`),
  open({ pingInterval: [] }),
  open({ pingInterval: 2 ** 31 - 2 }),
  open({ pingTimeout: undefined }),
  open({ pingTimeout: -20_000 }),
  open({ pingTimeout: {} }),
  open({ pingTimeout: 'soon' }),
  open({ pingTimeout: 1e12 }),
  open({ maxPayload: 'x' }),
  open({ maxPayload: -1 }),
  open({ maxPayload: {} }),
  `0${nested(300)}`,
  `0{"__proto__":${open({}).slice(1)}}`
]

/** Packets at any moment after the handshake. */
export const MALFORMED: MalformedPacket[] = [
  ...packets('ends', 'ends', [...BAD_OPENS, open({})]),
  // No packet of engine.io, or its last word.
  ...packets('ends', 'ends', [
    '',
    '7',
    '9{}',
    'a',
    'ok',
    '-1',
    ' 2',
    '\u0000',
    '\ud83d\ude00',
    '{"sid":"a"}',
    '<html>502</html>',
    '[]',
    'null',
    '1',
    '1now',
    '96:0{"sid":"a"}'
  ]),
  // Packets of engine.io that a server has no reason to send.
  ...packets('ignored', 'ignored', ['2', '2late', '2probe', '3', '3probe', '3other', '5', '5x', '6', '6noop']),
  // Messages that are no packet of socket.io.
  ...packets('reported', 'reported', [
    '4',
    '4x',
    '47',
    '49[]',
    '4 2[]',
    '4-1',
    '4{"a":1}',
    '4null',
    '4\u0000',
    `4${'9'.repeat(50)}`,
    Buffer.alloc(0),
    Buffer.from('42["hydra"]'),
    Buffer.from([0, 1, 2, 255]),
    Buffer.alloc(70_000, 52),
    'b',
    'bAAEC',
    'b!!!not base64',
    'b='
  ]),
  // Binary packets: of a revision of their own, whose attachments would never come.
  ...packets('reported', 'reported', [
    '45',
    '45-',
    `45${NS}["hydra"]`,
    `451-${NS}["hydra",{"_placeholder":true,"num":0}]`,
    `45-1-${NS}["hydra"]`,
    `459007199254740993-${NS}["hydra"]`,
    `45${'9'.repeat(400)}-${NS}["hydra"]`,
    `451e9-${NS}["hydra"]`,
    `450-${NS}["hydra"]`,
    `451-`,
    `461-${NS}0[{"_placeholder":true,"num":-1}]`,
    '46',
    `46x-${NS}1[]`
  ]),
  // Other namespaces, and what is almost one.
  ...packets('reported', 'reported', [
    '40',
    '40{"sid":"a"}',
    '40/other,{"sid":"a"}',
    '41',
    '41/other,',
    '42["hydra",{}]',
    '42/other,["hydra",{}]',
    '42/,["hydra"]',
    '42//,["hydra"]',
    `42${NAMESPACE}/,["hydra"]`,
    `42${NAMESPACE}?x=1,["hydra"]`,
    `42${NAMESPACE}["hydra",{}]`,
    '42/__proto__,["hydra"]',
    '42/constructor,["hydra"]',
    `42/${'n'.repeat(5_000)},["hydra"]`,
    '43/other,0[]',
    '44/other,null',
    '44',
    '44null'
  ]),
  // Events without a name, with one that is no text, with one that is the client's own.
  ...packets(
    'reported',
    'reported',
    [
      '',
      '[]',
      'null',
      '5',
      'true',
      '{}',
      '"hydra"',
      '[null]',
      '[5]',
      '[true]',
      '[{}]',
      '[[]]',
      '[["hydra"]]',
      '[{"toString":1}]',
      '[9007199254740993]',
      '[""',
      '["connect"]',
      '["connect",{}]',
      '["connect_error",{"message":"x"}]',
      '["connect_error"]',
      '["disconnect","x"]',
      '["disconnecting"]',
      '["newListener"]',
      '["removeListener",null]',
      '["hydra",',
      '["hydra",{]',
      '["hydra",{}]more',
      '["hydra",undefined]',
      '["hydra",NaN]',
      "['hydra']",
      '[,]',
      `["hydra",${nested(300)}]`,
      '["hydra","\\x"]',
      '["hydra"]["hydra"]',
      '0',
      '0[]',
      '7[null]',
      '1234567890123456789["hydra",{}]',
      '-1["hydra",{}]',
      '1.5["hydra",{}]',
      '1e3["hydra",{}]'
    ].map((rest) => `42${NS}${rest}`)
  ),
  // Events of the right name that hold no message of a node.
  ...packets(
    'reported',
    'reported',
    [
      '["hydra"]',
      '["hydra",null]',
      '["hydra",5]',
      '["hydra","text"]',
      '["hydra",[]]',
      '["hydra",{}]',
      '["hydra",{"status":"fail"}]',
      '["hydra",{"status":"success","data":null}]',
      '["hydra",{"data":5}]',
      '["hydra",{"data":[]}]',
      '["hydra",{"data":{}}]',
      '["hydra",{"data":{"tag":5}}]',
      '["hydra",{"data":{"tag":null}}]',
      '["hydra",{"data":{"tag":"SnapshotConfirmed"}}]',
      '["hydra",{"data":{"tag":"Greetings","me":5}}]',
      '["hydra",{"data":{"tag":"SnapshotConfirmed","snapshot":null}}]',
      '["hydra",{"tag":"TxInvalid"}]',
      '["hydra",{"__proto__":{"tag":"HeadIsOpen"}}]',
      '0["hydra"]',
      '999999999999999["hydra",null]'
    ].map((rest) => `42${NS}${rest}`)
  ),
  // Before the namespace has been joined they are out of place.
  ...packets(
    'reported',
    'ignored',
    [
      '["other",{}]',
      '["__proto__",{}]',
      '["constructor"]',
      '["toString",1]',
      '["hasOwnProperty"]',
      '[""]',
      '["$hydra",{}]',
      '5["other"]',
      `["${'e'.repeat(10_000)}"]`
    ].map((rest) => `42${NS}${rest}`)
  ),
  // Acknowledgements: nobody has asked for one.
  ...packets(
    'reported',
    'reported',
    ['', '0', '[', '0null', '0{}', '05', '0"x"', '0[', '99999999999999999999[]', '0[]more'].map(
      (rest) => `43${NS}${rest}`
    )
  ),
  ...packets(
    'reported',
    'ignored',
    ['[]', '0[]', '0[null]', '1["hydra"]', '999999999999999[1]', '0[{"__proto__":null}]'].map(
      (rest) => `43${NS}${rest}`
    )
  ),
  // Answers to CONNECT that carry no session; once in session there is nothing to answer.
  ...packets(
    'ends',
    'reported',
    [
      '',
      'null',
      '5',
      '"x"',
      '[]',
      '{}',
      'true',
      '{"sid":null}',
      '{"sid":5}',
      '{"sid":""}',
      '{"sid":{}}',
      '{"message":"x"}'
    ].map((rest) => `40${NS}${rest}`)
  ),
  ...packets('ends', 'reported', [`40${NAMESPACE}`]),
  ...packets('reported', 'reported', [`40${NS}{`, `40${NS}{"sid":"a"`, `40${NS}0x`]),
  ...packets(
    'ends',
    'reported',
    [
      '',
      'null',
      '5',
      'false',
      '[]',
      '{}',
      '"text"',
      '{"message":null}',
      '{"message":5}',
      '{"message":{}}',
      '{"message":{"toString":1}}',
      '{"message":["a"]}',
      '{"message":"x","data":null}',
      '{"data":{"__proto__":1}}',
      '{"message":9007199254740993}'
    ].map((rest) => `44${NS}${rest}`)
  ),
  ...packets('ends', 'reported', [`44${NAMESPACE}`]),
  ...packets('reported', 'reported', [`44${NS}{`, `44${NS}"x`]),
  ...packets('ends', 'ends', [`41${NS}`, `41${NAMESPACE}`]),
  ...packets('reported', 'reported', [`41${NS}"x"`, `41${NS}{}`, `41${NS}null`, `41${NS}[`])
]

/** Whole answers to a poll. */
export const MALFORMED_BODIES: MalformedPacket[] = [
  ...packets('ends', 'ends', [
    '',
    '\x1e',
    '\x1e\x1e',
    '6\x1e',
    '\x1e6',
    '6\x1e\x1e6',
    '6\x1e7',
    '1:6',
    '6\x1f\x1e',
    'ok',
    '<html><body>502 Bad Gateway</body></html>',
    '{"code":1,"message":"Session ID unknown"}',
    '1\x1e6',
    '6\x1e0',
    `6\x1e${open({})}`,
    Buffer.from([0xff, 0xfe, 0x36]),
    Buffer.from([0x00]),
    Buffer.from([0xc3]),
    '\ufeff\ufeff6'
  ]),
  ...packets('ignored', 'ignored', [
    '6\x1e6',
    '2\x1e2\x1e2',
    '6\x006',
    '6:6',
    '2:40',
    '6,6',
    '3\n6',
    Array<string>(5_000).fill('6').join('\x1e')
  ]),
  ...packets('reported', 'reported', [
    '4\x1e4',
    'b\x1eb',
    '6\x1ebAAEC',
    `6\x1e42${NS}[]`,
    `42${NS}[]\x1e6`,
    `45${NS}1\x1ebAA\x1ebAA`
  ])
]

/** Answers to the probe of an upgrade; only `3probe` is right. */
export const BAD_PROBES: (string | Buffer)[] = [
  '',
  '3',
  '3other',
  '2probe',
  '5',
  '6',
  '1',
  '0',
  '0null',
  '7',
  'b',
  '4',
  `42${NS}[]`,
  `40${NS}{"sid":"a"}`,
  open({}),
  Buffer.alloc(0),
  Buffer.from('3probe'),
  '3probe\x1e3probe',
  '\u0000'
]

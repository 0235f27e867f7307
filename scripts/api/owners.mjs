// Which entry owns a public declaration: its API report has it in full, those of the other entries name it in an import.
import ts from 'typescript'

/** Entries of the rooms that have no subpath of their own name; a room that is missing here and has none is shared. */
const ENTRY_OF_ROOM = { errors: 'index' }

/** Whose declarations stand in which entry first: of a shared room, the first of these that exports it owns it. */
const ORDER = [
  'utils',
  'wallet',
  'journal',
  'providers',
  'bridge',
  'tx',
  'client',
  'verify',
  'setup',
  'doctor',
  'recognition',
  'react',
  'mesh',
  'lucid',
  'blaze',
  'scalus',
  'devnode',
  'gateway',
  'cardano-sdk',
  'index'
]

/** The entry that a source file is written for; undefined for files of rooms that several entries share. */
function entryOfFile(path, entries) {
  const [room, file] = path.split('/')
  if (room === 'adapters') return file.replace(/(?:\.d)?\.ts$/, '')
  return ENTRY_OF_ROOM[room] ?? (room in entries ? room : undefined)
}

/**
 * Returns the owner of each declaration that an entry exports: the entry of its room, or of the entries that export it
 * the first of {@link ORDER}.
 *
 * @param entries - by entry, the symbols that it exports, aliases resolved
 * @param pathOf - the path below src of a symbol's first declaration
 */
export function ownersOf(entries, pathOf) {
  const missing = Object.keys(entries).filter((entry) => !ORDER.includes(entry))
  if (missing.length > 0) throw new Error(`scripts/api/owners.mjs does not say where ${missing.join(', ')} stands`)
  const owners = new Map()
  for (const entry of ORDER)
    for (const symbol of entries[entry] ?? []) if (!owners.has(symbol)) owners.set(symbol, entry)
  for (const symbol of owners.keys()) {
    const own = entryOfFile(pathOf(symbol), entries)
    if (own !== undefined && entries[own]?.has(symbol)) owners.set(symbol, own)
  }
  return owners
}

/** The symbol that a name stands for, past imports and exports. */
export const targetOf = (checker, symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

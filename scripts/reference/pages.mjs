// The pages of the site's reference: one for each function, each class and each member, one for the types of an entry,
// and a list for each entry.
import ts from 'typescript'
import { signatureOf } from '../docstring.mjs'
import { parseDoc } from './docText.mjs'
import { callableOf, fieldsOfType } from './fields.mjs'
import { hrefOf } from './links.mjs'
import { folderOf } from './model.mjs'
import { capitalised, sinceText } from './released.mjs'
import {
  callSections,
  contextOf,
  errorsOf,
  examplesOf,
  fence,
  fieldTable,
  importOf,
  linkTable,
  pageOf,
  placeOf,
  roomPathOf,
  seeOf
} from './sections.mjs'
import { typeLinks, typeMarkdown } from './typeText.mjs'

function functionPage(context, item) {
  const { name, kind, since, declarations, doc } = item
  return pageOf(
    [`# ${name}`, '', ...placeOf(context, kind, since), context.text(doc.text), ''],
    importOf(context, name),
    examplesOf(context, doc.examples, noteOfMethod(context, item)),
    ['## Signature', '', ...fence(declarations.map(signatureOf).join('\n'))],
    callSections(context, declarations, doc),
    errorsOf(context, doc.throws),
    seeOf(context, doc.sees)
  )
}

function constantPage(context, { name, since, declarations, doc }) {
  return pageOf(
    [`# ${name}`, '', ...placeOf(context, 'constant', since), context.text(doc.text), ''],
    importOf(context, name),
    examplesOf(context, doc.examples),
    ['## Value', '', ...fence(declarations.map(signatureOf).join('\n'))],
    seeOf(context, doc.sees)
  )
}

const isConstructor = (member) =>
  ts.isConstructorDeclaration(member) &&
  (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) === 0

function constructorSections(context, { name, declarations }) {
  const constructors = declarations.flatMap(({ members }) => members.filter(isConstructor))
  if (constructors.length === 0) return []
  const doc = parseDoc(constructors[0])
  const signatures = constructors.map(
    (each) =>
      `new ${name}${each
        .getText()
        .replace(/^[^(]*/, '')
        .replace(/;$/, '')}`
  )
  return [
    ['## Constructor', '', ...fence(signatures.join('\n')), context.text(doc.text), ''],
    callSections(context, constructors, doc, { result: false }),
    errorsOf(context, doc.throws)
  ]
}

/** What a class or interface is made from, with the members that come from there. */
function baseSections(context, { declarations }) {
  const bases = declarations.flatMap(({ heritageClauses }) => heritageClauses ?? []).flatMap(({ types }) => types)
  return bases.flatMap((base) => {
    const symbol = context.reference.checker.getSymbolAtLocation(base.expression)
    const item = symbol === undefined ? undefined : context.reference.itemOf(symbol)
    const inherited = (item?.members ?? []).map((member) => `[\`${member.name}\`](${hrefOf(context.path, member)})`)
    const head = typeMarkdown(base, context.reference.checker, context.links.ofSymbol)
    return [`Extends or implements ${head}${inherited.length === 0 ? '' : `: ${inherited.join(', ')}`}.`, '']
  })
}

function classPage(context, item) {
  const ofKind = (kind) =>
    item.members
      .filter((each) => each.kind.endsWith(kind))
      .map((member) => ({ name: member.name, target: member, doc: member.doc }))
  return pageOf(
    [
      `# ${item.name}`,
      '',
      ...placeOf(context, item.kind, item.since),
      context.text(item.doc.text),
      '',
      ...baseSections(context, item)
    ],
    importOf(context, item.name, item.kind === 'interface'),
    classExamples(context, item),
    item.kind === 'class' ? constructorSections(context, item) : [],
    linkTable(context, 'Methods', ofKind('method')),
    linkTable(context, 'Properties', ofKind('property')),
    seeOf(context, item.doc.sees)
  )
}

/** Examples of a class; of an interface without any, those of the function that returns one. */
function classExamples(context, item) {
  if (item.doc.examples.length > 0) return examplesOf(context, item.doc.examples)
  const maker = context.reference.items.find(
    ({ kind, doc, declarations }) =>
      kind === 'function' &&
      doc.examples.length > 0 &&
      new RegExp(`\\b${item.name}\\b`).test(declarations[0].type?.getText() ?? '')
  )
  return maker === undefined
    ? []
    : examplesOf(
        context,
        maker.doc.examples,
        `Of [\`${maker.name}\`](${hrefOf(context.path, maker)}), which makes one:`
      )
}

/**
 * The docstring of a member; one that refers to a function with its last sentence ("See {@link pay}.") has that one's
 * parameters, errors and examples.
 */
function docOfMember(context, { doc }) {
  const name = /See \{@link (\w+)\}\.?$/.exec(doc.text)?.[1]
  const same = name === undefined ? undefined : context.reference.byName(name, context.entry)
  if (same?.kind !== 'function') return { doc }
  const either = (own, others) => (own.length > 0 ? own : others)
  const merged = {
    ...doc,
    params: doc.params.size > 0 ? doc.params : same.doc.params,
    throws: either(doc.throws, same.doc.throws),
    examples: doc.examples
  }
  return { doc: { ...merged, returns: doc.returns || same.doc.returns }, same }
}

/** Says that an example calls a method which does the same: the reader sees no import of the function in it. */
function noteOfMethod(context, item) {
  const { items } = context.reference
  const method = items
    .flatMap(({ members }) => members)
    .find((member) => member.name === item.name && docOfMember(context, member).same === item)
  if (method === undefined || !item.doc.examples.some((example) => example.includes(`.${item.name}(`))) return ''
  return `By the method [\`${method.owner.name}.${method.name}\`](${hrefOf(context.path, method)}), which does the same:`
}

function memberPage(context, member) {
  const { owner, name, since, declarations, kind } = member
  const { doc, same } = docOfMember(context, member)
  const callables = declarations.filter(callableOf)
  const signatures = declarations.map((each) => signatureOf(each).replace(/;$/, ''))
  const examples = doc.examples.length > 0 ? examplesOf(context, doc.examples) : inheritedExample(context, owner, same)
  const types = [
    ...new Set(
      declarations.flatMap(({ type }) =>
        type === undefined ? [] : [typeMarkdown(type, context.reference.checker, context.links.ofSymbol)]
      )
    )
  ]
  return pageOf(
    [
      `# ${owner.name}.${name}`,
      '',
      ...placeOf(context, `${kind} of [\`${owner.name}\`](${hrefOf(context.path, owner)})`, since),
      context.text(doc.text),
      ''
    ],
    importOf(context, owner.name, owner.kind === 'interface'),
    examples,
    ['## Signature', '', ...fence(signatures.join('\n'))],
    callables.length > 0
      ? callSections(context, callables, doc)
      : ['## Type', '', types.join(' or '), '', ...(doc.default === '' ? [] : [`Default: \`${doc.default}\``, ''])],
    errorsOf(context, doc.throws),
    seeOf(context, doc.sees)
  )
}

/** A member without an example of its own: the one of the function that does the same, else the one of its class. */
function inheritedExample(context, owner, same) {
  if (same !== undefined && same.doc.examples.length > 0) {
    return examplesOf(
      context,
      same.doc.examples.slice(0, 1),
      `Of the function [\`${same.name}\`](${hrefOf(context.path, same)}), which does the same:`
    )
  }
  if (owner.doc.examples.length > 0)
    return examplesOf(
      context,
      owner.doc.examples.slice(0, 1),
      `Of [\`${owner.name}\`](${hrefOf(context.path, owner)}):`
    )
  return classExamples(context, owner)
}

/** A type that has no fields of its own: as it is declared, with links to what it names. */
function aliasSections(context, declarations) {
  const links = declarations.flatMap((each) => typeLinks(each, context.reference.checker, context.links.ofSymbol))
  return [
    ...fence(declarations.map(signatureOf).join('\n')),
    ...(links.length === 0 ? [] : [`Names ${[...new Set(links)].join(', ')}.`, ''])
  ]
}

function typesPage(context, types) {
  const sections = types.map(({ name, since, doc, declarations, entries }) => {
    const fields = declarations.flatMap((each) => fieldsOfType(context.reference.checker, each, context.links))
    const bases = fields.length === 0 ? [] : baseSections(context, { declarations })
    const shape =
      fields.length === 0 ? aliasSections(context, declarations) : [...bases, ...fieldTable(context, fields)]
    const also = entries.slice(1).map(context.specifierOf)
    const place = `${capitalised(sinceText(since))}${also.length === 0 ? '' : `; also in ${also.map((each) => `\`${each}\``).join(', ')}`}.`
    return [`## ${name}`, '', context.text(doc.text), '', ...shape, place, '']
  })
  return pageOf(
    [`# Types of ${context.specifier}`, '', `For \`import type { ... } from '${context.specifier}'\`.`, ''],
    sections
  )
}

const GROUPS = [
  ['Classes', ['class']],
  ['Interfaces', ['interface']],
  ['Functions', ['function']],
  ['Constants', ['constant']],
  ['Types', ['type']],
  ['Errors', ['error']]
]

/** The page of an entry: everything that it exports, also what has its page with another entry. */
function roomPage(context, items, introduction = '') {
  const groups = GROUPS.map(([title, kinds]) => {
    const group = items
      .filter(({ kind }) => kinds.includes(kind))
      .filter((item) => context.entry !== 'index' || item.entry === 'index' || item.kind === 'error')
    return linkTable(
      context,
      title,
      group.map((item) => ({ name: item.name, target: item, doc: item.doc }))
    )
  })
  const passedOn =
    context.entry === 'index' ? items.filter((item) => item.entry !== 'index' && item.kind !== 'error') : []
  return pageOf([`# ${context.specifier}`, '', introduction, ''], groups, passedOnSection(context, passedOn))
}

function passedOnSection(context, items) {
  if (items.length === 0) return []
  const entries = [...new Set(items.map(({ entry }) => entry))]
  const listOf = (entry) =>
    items.filter((item) => item.entry === entry).map((item) => `[\`${item.name}\`](${hrefOf(context.path, item)})`)
  return [
    '## From other entries',
    '',
    ...entries.flatMap((entry) => [
      `[${context.specifierOf(entry)}](${hrefOf(context.path, { path: roomPathOf(entry) })}): ${listOf(entry).join(', ')}.`,
      ''
    ])
  ]
}

/** All pages: path below docs/ -> Markdown. `introductions`: entry -> Markdown below its page's title. */
export function renderReference(reference, specifierOf, introductions = new Map()) {
  const pages = new Map()
  const render = (path, entry, make, about) =>
    pages.set(path, make(contextOf(reference, path, entry, specifierOf), about))
  for (const item of reference.items) {
    if (item.kind === 'function' || item.kind === 'constant')
      render(item.path, item.entry, item.kind === 'function' ? functionPage : constantPage, item)
    else if (item.kind === 'class' || item.kind === 'interface') render(item.path, item.entry, classPage, item)
    for (const member of item.members) render(member.path, item.entry, memberPage, member)
  }
  for (const [entry, items] of reference.exported) {
    const types = items.filter((item) => item.kind === 'type' && item.entry === entry)
    if (types.length > 0) render(`${folderOf(entry)}/types.md`, entry, typesPage, types)
    render(roomPathOf(entry), entry, (context) => roomPage(context, items, introductions.get(entry)))
  }
  return pages
}

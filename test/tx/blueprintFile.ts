/** A blueprint as compilers write it; its code succeeds, behind as many parameters as it has. */
export const BLUEPRINT = {
  preamble: { title: 'tests/escrow', plutusVersion: 'v3', compiler: { name: 'tests', version: '1' } },
  validators: [
    {
      title: 'escrow.escrow.spend',
      datum: { title: 'datum', schema: { $ref: '#/definitions/escrow~1Datum' } },
      redeemer: { title: 'redeemer', schema: { $ref: '#/definitions/escrow~1Action' } },
      compiledCode: '450101002499',
      hash: '186e32faa80a26810392fda6d559c7ed4721a65ce1c9d4ef3e1c87b4'
    },
    {
      title: 'gift.gift.mint',
      redeemer: { title: 'redeemer', schema: { $ref: '#/definitions/Data' } },
      parameters: [
        { title: 'name', schema: { $ref: '#/definitions/ByteArray' } },
        { title: 'limits', schema: { $ref: '#/definitions/Limits' } }
      ],
      compiledCode: '4701010022222499'
    }
  ],
  definitions: {
    Data: { title: 'Data', description: 'Any Plutus data.' },
    ByteArray: { dataType: 'bytes' },
    Int: { dataType: 'integer' },
    Bool: {
      title: 'Bool',
      anyOf: [
        { title: 'False', dataType: 'constructor', index: 0, fields: [] },
        { title: 'True', dataType: 'constructor', index: 1, fields: [] }
      ]
    },
    Option$Int: {
      title: 'Option',
      anyOf: [
        { title: 'Some', dataType: 'constructor', index: 0, fields: [{ $ref: '#/definitions/Int' }] },
        { title: 'None', dataType: 'constructor', index: 1, fields: [] }
      ]
    },
    Option$Option: {
      title: 'Option',
      anyOf: [
        { title: 'Some', dataType: 'constructor', index: 0, fields: [{ $ref: '#/definitions/Option$Int' }] },
        { title: 'None', dataType: 'constructor', index: 1, fields: [] }
      ]
    },
    Limits: { dataType: 'list', items: [{ $ref: '#/definitions/Int' }, { $ref: '#/definitions/Int' }] },
    Prices: {
      dataType: 'map',
      keys: { $ref: '#/definitions/ByteArray' },
      values: { dataType: 'list', items: { $ref: '#/definitions/Int' } }
    },
    Tree: {
      anyOf: [
        { title: 'Leaf', dataType: 'constructor', index: 0, fields: [] },
        {
          title: 'Node',
          dataType: 'constructor',
          index: 1,
          fields: [
            { title: 'left', $ref: '#/definitions/Tree' },
            { title: 'value', $ref: '#/definitions/Int' },
            { title: 'right', $ref: '#/definitions/Tree' }
          ]
        }
      ]
    },
    'escrow/Datum': {
      title: 'Datum',
      anyOf: [
        {
          title: 'Datum',
          dataType: 'constructor',
          index: 0,
          fields: [
            { title: 'seller', $ref: '#/definitions/ByteArray' },
            { title: 'price', $ref: '#/definitions/Int' },
            { title: 'open', $ref: '#/definitions/Bool' },
            { title: 'deadline', $ref: '#/definitions/Option$Int' },
            { title: 'nested', $ref: '#/definitions/Option$Option' },
            { title: 'prices', $ref: '#/definitions/Prices' },
            { title: 'tree', $ref: '#/definitions/Tree' },
            { title: 'more', $ref: '#/definitions/Data' }
          ]
        }
      ]
    },
    'escrow/Action': {
      title: 'Action',
      anyOf: [
        { title: 'Cancel', dataType: 'constructor', index: 0, fields: [] },
        {
          title: 'Bid',
          dataType: 'constructor',
          index: 1,
          fields: [{ $ref: '#/definitions/Int' }, { $ref: '#/definitions/ByteArray' }]
        },
        {
          title: 'Move',
          dataType: 'constructor',
          index: 7,
          fields: [{ title: 'to', $ref: '#/definitions/Limits' }]
        }
      ]
    }
  }
}

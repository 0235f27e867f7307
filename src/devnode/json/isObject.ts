export { isRecord as isObject } from '../../codec/record.js'

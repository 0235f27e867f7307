/** A value of a YAML document. */
export type YamlValue = null | boolean | number | string | readonly YamlValue[] | YamlMap

/** A mapping: its keys are texts. */
export type YamlMap = ReadonlyMap<string, YamlValue>

/** The version of the configuration schema that new and updated agents are stored with. */
export const CONFIG_SCHEMA_VERSION = 1

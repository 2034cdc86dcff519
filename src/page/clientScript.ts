/**
 * What runs in the reader's browser. The build puts the bundle of `client/` in this module's place
 * (scripts/lib/pageClient.mjs); unbuilt there is none.
 */
export const clientScript = '';

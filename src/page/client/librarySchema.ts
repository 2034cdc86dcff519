import type { RJSFSchema } from '@rjsf/utils';
import type { FormNode } from './formNode';

/** Our schema in the library's type, which knows fewer keywords and wants mutable lists. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the library takes any keyword
export const librarySchema = (node: FormNode): RJSFSchema => node as unknown as RJSFSchema;
